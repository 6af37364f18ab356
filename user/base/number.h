/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_BASE_NUMBER_H
#define CCSAMPLE_BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/**
 * read_number() - a whole number.
 * @text: decimal digits and nothing else
 *
 * Return: false if it is not one, or does not fit in 64 bits.
 */
bool read_number(const char *text, uint64_t *number);

/* The same of any finite number, as strtod() reads it. */
bool read_real(const char *text, double *number);

/**
 * parse_number() - a number of an option.
 * @option: as the user writes it, for the message
 * @text: decimal digits and nothing else
 *
 * Return: 0, or -1 after one line on standard error.
 */
int parse_number(const char *option, const char *text, uint64_t low, uint64_t high,
		 uint64_t *number);

#endif /* CCSAMPLE_BASE_NUMBER_H */
