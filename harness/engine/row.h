/* row: macros that turn a list (type, name), ... into the parameters of a
 * function or into the arguments of a call.  The users of op_list.h and of
 * cuda/kernel_list.h apply them to the rows of these lists. */
#pragma once

#define ROW_PARAMETERS(...) ROW_EACH(ROW_PARAMETER, __VA_ARGS__)
#define ROW_ARGUMENTS(...)  ROW_EACH(ROW_ARGUMENT, __VA_ARGS__)

#define ROW_PARAMETER(type, name) type name
#define ROW_ARGUMENT(type, name)  name

/* Supports at most ten parameters. */
#define ROW_EACH(f, ...) \
    ROW_11TH(__VA_ARGS__, ROW_10, ROW_9, ROW_8, ROW_7, ROW_6, ROW_5, ROW_4, \
             ROW_3, ROW_2, ROW_1, )(f, __VA_ARGS__)
#define ROW_11TH(a, b, c, d, e, f, g, h, i, j, it, ...) it
#define ROW_1(f, a)       f a
#define ROW_2(f, a, ...)  f a, ROW_1(f, __VA_ARGS__)
#define ROW_3(f, a, ...)  f a, ROW_2(f, __VA_ARGS__)
#define ROW_4(f, a, ...)  f a, ROW_3(f, __VA_ARGS__)
#define ROW_5(f, a, ...)  f a, ROW_4(f, __VA_ARGS__)
#define ROW_6(f, a, ...)  f a, ROW_5(f, __VA_ARGS__)
#define ROW_7(f, a, ...)  f a, ROW_6(f, __VA_ARGS__)
#define ROW_8(f, a, ...)  f a, ROW_7(f, __VA_ARGS__)
#define ROW_9(f, a, ...)  f a, ROW_8(f, __VA_ARGS__)
#define ROW_10(f, a, ...) f a, ROW_9(f, __VA_ARGS__)
