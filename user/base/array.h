/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_BASE_ARRAY_H
#define CCSAMPLE_BASE_ARRAY_H

/* Elements of an array; not of a pointer. */
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#endif /* CCSAMPLE_BASE_ARRAY_H */
