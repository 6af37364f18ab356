/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_PROGRAM_DEMANGLE_H
#define CCSAMPLE_PROGRAM_DEMANGLE_H

/**
 * demangle() - a linker's name as its programmer wrote it: std::vector<double>, without the
 * arguments that are the library's usual ones.
 *
 * Return: a new string, or NULL where the name is no mangled name of C++ or Rust.
 */
char *demangle(const char *name);

/* Leaves these arguments out of a name of C++. */
void cxx_shorten(char *name);

#endif /* CCSAMPLE_PROGRAM_DEMANGLE_H */
