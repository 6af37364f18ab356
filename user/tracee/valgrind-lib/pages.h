/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the program's pages lie in physical memory, as the option --pages says:
 * by a model of cachesim/pages.h, or truly, through /proc/self/pagemap.
 *
 * To be asked after the reference: before it, a page may not be there yet.
 * docs/explanation/engine.md says what true frames cannot show.
 */
#ifndef CCSAMPLE_TRACEE_VALGRIND_LIB_PAGES_H
#define CCSAMPLE_TRACEE_VALGRIND_LIB_PAGES_H

#include "pub_tool_basics.h"

#include "cachesim/pages.h"

/**
 * frames_init() - get ready for the plan.
 * @plan: of the options
 *
 * Where true frames are wanted and not shown, one line says so, and none is known.
 */
void frames_init(const struct page_plan *plan);

/**
 * frames_renew() - the model gives frames again from the first one; true ones stay.
 */
void frames_renew(void);

/**
 * frames_translate() - the physical address of a byte that was just referred to.
 * @physical: written on success only
 *
 * Return: False if it is not known: not mapped (any more), swapped out, or not shown to us.
 */
Bool frames_translate(Addr address, ULong *physical);

/**
 * frames_syscall() - follow a system call that has ended, and may have moved pages.
 * @number: of the call; others than those of memory do nothing
 */
void frames_syscall(UInt number, const UWord *args, SysRes result);

/**
 * frames_forked() - after a fork: pages are shared until one of both writes.
 * @child: we are the child, whose pagemap is another
 */
void frames_forked(Bool child);

#endif /* CCSAMPLE_TRACEE_VALGRIND_LIB_PAGES_H */
