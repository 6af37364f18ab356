/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_BASE_TEXT_H
#define CCSAMPLE_BASE_TEXT_H

/**
 * trim() - text without the blanks and line ends around it.
 * @text: cut at its end, in place
 *
 * Return: where it begins now.
 */
char *trim(char *text);

/* What follows the last slash of a path; all of it where nothing does. */
const char *base_name(const char *path);

#endif /* CCSAMPLE_BASE_TEXT_H */
