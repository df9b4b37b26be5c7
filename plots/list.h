FIGURE(curves)
FIGURE(speed)
FIGURE(size)
