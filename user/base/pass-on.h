/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Signals that would end us while a child works: SIGINT, SIGTERM, SIGHUP, SIGQUIT. What a process
 * sends us is passed on to the child; what a terminal sends reaches it as well, as it is in our
 * process group. We see its end, and remove temporary files.
 */
#ifndef CCSAMPLE_BASE_PASS_ON_H
#define CCSAMPLE_BASE_PASS_ON_H

#include <sys/types.h>

/* Before fork(): from here on no such signal ends us. */
void pass_on_begin(void);

/* In the parent: they are for this child. */
void pass_on_to(pid_t child);

/* In the child, and in the parent after its end: as before. */
void pass_on_end(void);

#endif /* CCSAMPLE_BASE_PASS_ON_H */
