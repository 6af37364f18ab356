/* SPDX-License-Identifier: GPL-2.0-only */
/* Names that rustc gives to linkers, v0 (RFC 2603) and legacy, as Rust writes them. */
#ifndef CCSAMPLE_PROGRAM_DEMANGLE_RUST_H
#define CCSAMPLE_PROGRAM_DEMANGLE_RUST_H

/**
 * demangle_rust() - "_RNvCs1_5crate4main" to "crate::main".
 *
 * Without the hashes that distinguish crates of one name and instances of one function.
 *
 * Return: the name, for the caller to free; NULL if this is none of Rust's.
 */
char *demangle_rust(const char *name);

#endif /* CCSAMPLE_PROGRAM_DEMANGLE_RUST_H */
