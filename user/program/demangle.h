/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_PROGRAM_DEMANGLE_H
#define CCSAMPLE_PROGRAM_DEMANGLE_H

/**
 * demangle() - a linker's name as its programmer wrote it.
 *
 * Return: a new string, or NULL where the name is no mangled name of C++ or Rust.
 */
char *demangle(const char *name);

#endif /* CCSAMPLE_PROGRAM_DEMANGLE_H */
