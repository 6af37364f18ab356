/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which data object an address belongs to, as the recorder numbers objects. Heap
 * blocks are known by who allocated them; everything else, and what an
 * allocating call is to be named, the recorder is asked once.
 */
#ifndef CCSAMPLE_TRACEE_VALGRIND_PLACES_H
#define CCSAMPLE_TRACEE_VALGRIND_PLACES_H

#include "pub_tool_basics.h"
#include "format/format.h"

/**
 * places_alloc() - a block begins.
 * @stack: id of the CCS_STACK that was sent, 0 = unknown
 * @kind: enum ccs_alloc_kind
 */
void places_alloc(Addr start, SizeT size, UInt stack, UInt kind);
void places_free(Addr start);

/* A range was mapped or unmapped: nothing that was known of it holds. */
void places_forget(Addr start, SizeT size);

/* Grows with every change: an object found before may be another now. */
extern UInt places_version;

/**
 * places_object() - what an address belongs to.
 * @whole_page: whether the same is true of all of its page
 *
 * Return: the object's number, 0 = unknown.
 */
UInt places_object(Addr address, Bool *whole_page);

#endif /* CCSAMPLE_TRACEE_VALGRIND_PLACES_H */
