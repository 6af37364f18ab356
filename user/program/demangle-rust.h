/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names that rustc gives to linkers, as Rust writes them, without the hashes that distinguish
 * crates of one name and instances of one function.
 */
#ifndef CCSAMPLE_PROGRAM_DEMANGLE_RUST_H
#define CCSAMPLE_PROGRAM_DEMANGLE_RUST_H

/**
 * demangle_rust() - of the v0 scheme (RFC 2603): "_RNvCs1_5crate4main" to "crate::main".
 *
 * Return: the name, for the caller to free; NULL if this is none.
 */
char *demangle_rust(const char *name);

/* The same of the scheme before it: names of C++, with "17h" and 16 digits at the end. */
char *demangle_rust_legacy(const char *name);

#endif /* CCSAMPLE_PROGRAM_DEMANGLE_RUST_H */
