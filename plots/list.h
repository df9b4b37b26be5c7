FIGURE(curves)
FIGURE(speed)
FIGURE(size)
FIGURE(phases)
