/*
 * guess: a setting that no source tells, in words, as an experiment has it:
 * "agnews: size, batch and steps" of a task, "dense: reads its head's slice" of
 * a variant and of mixtures with it.
 */
#pragma once

/* 1: it is about one of them; variant may be what a row is called. */
int guess_about(const char *guess, const char *task, const char *variant);
