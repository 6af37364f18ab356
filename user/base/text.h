/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_BASE_TEXT_H
#define CCSAMPLE_BASE_TEXT_H

#include <stdbool.h>

/**
 * trim() - text without the blanks and line ends around it.
 * @text: cut at its end, in place
 *
 * Return: where it begins now.
 */
char *trim(char *text);

/* What follows the last slash of a path; all of it where nothing does. */
const char *base_name(const char *path);

/* What messages and views call a file: "standard input" where it is "-", or NULL. */
const char *shown_input(const char *path);

/* The same of what is written: "standard output". */
const char *shown_output(const char *path);

/* "_umath.cpython-311-x86_64-linux-gnu.so" becomes "_umath.so", wherever in the text it stands. */
char *drop_abi_tags(char *text);

/*
 * Words, ended by NULL, with blanks between, quoted as for a shell where they need it; to be freed.
 * @words: NULL = none
 */
char *join_words(char *const *words);

/*
 * 1 = a bracket of a name in C++ or Rust opens at @at, -1 = one closes, 0 = neither; the '>' of
 * "->" closes none. @text: where the name begins
 */
int name_bracket(const char *text, const char *at);

/* Is it a letter of names: also a digit, or '_'? */
bool of_word(char c);

/* Equal, or both NULL. */
bool same_text(const char *a, const char *b);

#endif /* CCSAMPLE_BASE_TEXT_H */
