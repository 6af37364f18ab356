/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_CMD_NUMBER_H
#define CCSAMPLE_CMD_NUMBER_H

#include <stdint.h>

/**
 * parse_number() - the value of an option that takes a number.
 * @option: as the user writes it, for the message
 * @text: decimal digits and nothing else
 *
 * Return: 0, or -1 after one line on standard error.
 */
int parse_number(const char *option, const char *text, uint64_t low, uint64_t high,
		 uint64_t *number);

/* The same for a number above 0 that need not be whole. */
int parse_positive(const char *option, const char *text, double *number);

/* The value of --level: 1, 2, 3, or 0 for "all". Return: 0, or -1 after one line. */
int parse_one_level(const char *text, uint32_t *level);

#endif /* CCSAMPLE_CMD_NUMBER_H */
