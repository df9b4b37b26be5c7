TASK(wmt14_ende)
TASK(lm1b)
TASK(agnews)
TASK(c4)
