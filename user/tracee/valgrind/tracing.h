/* SPDX-License-Identifier: GPL-2.0-only */
/* What --trace adds to the program's code. */
#ifndef CCSAMPLE_TRACEE_VALGRIND_TRACING_H
#define CCSAMPLE_TRACEE_VALGRIND_TRACING_H

#include "tracee/valgrind/code.h"

/**
 * tracing_reference() - add to the code what notes a reference.
 * @guard: NULL, or whether it happens
 */
void tracing_reference(struct builder *b, Bool is_store, IRExpr *address, Int size, IRExpr *guard);

/**
 * tracing_end_segment() - add the code that passes on the references noted since the last one.
 */
void tracing_end_segment(struct builder *b);

/**
 * tracing_jump() - add, at the superblock's end, what follows the call stack with --stacks.
 * @kind: of its last jump
 *
 * All references before are passed on.
 */
void tracing_jump(struct builder *b, IRJumpKind kind);

#endif /* CCSAMPLE_TRACEE_VALGRIND_TRACING_H */
