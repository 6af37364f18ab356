/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is traced in bursts, whichever way the library comes into it: by LD_PRELOAD into a program
 * that is started; by hand (burst-attach.h) into a process that runs already, or into a program
 * that is started and would not load it, as a static one.
 */
#ifndef CCSAMPLE_BURST_SOURCE_BURST_PROGRAM_H
#define CCSAMPLE_BURST_SOURCE_BURST_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "bursts/log.h"
#include "burst-source/burst-attach.h"
#include "record/source.h"

struct burst_program;

/**
 * burst_program_why_not() - why bursts cannot trace what is asked for.
 *
 * Return: NULL if they can, or if that is not known; else "it is no x86-64 program", ..., or what
 * is missing, to be freed.
 */
char *burst_program_why_not(const struct record_request *request);

/* Return: NULL after one line: it is not there, or cannot be traced. Nothing runs then. */
struct burst_program *burst_program_open(const struct record_request *request);
void burst_program_close(struct burst_program *program);

/**
 * burst_program_start() - open the log, start what is recorded.
 * @run: run->program is set to the child
 * @log: zeroed; if log->area is set then it is to be closed, also after a failure
 * @each: called for each thread where the library comes by hand, later ones in burst_program_look()
 *
 * Return: 0, or -1 after one line; nothing runs then.
 */
int burst_program_start(struct burst_program *program, struct source_run *run,
			struct burst_log *log, const struct burst_log_options *options,
			burst_attach_thread_fn *each, void *context);

/* See what its processes have reported or mapped, and which threads are new. */
void burst_program_look(struct burst_program *program, bool last);

/* Bursts are about to be written: see what is mapped that they refer to. */
void burst_program_refresh(struct burst_program *program);

/* Write the records of what is mapped and allocated, up to a time (TSC). */
void burst_program_take(struct burst_program *program, uint64_t until);

/* ... then what a process mapped and allocated until the end of a burst, which is written next. */
void burst_program_take_begun(struct burst_program *program, pid_t pid, uint64_t until);

/* The program that was started was reaped. */
void burst_program_ended(struct burst_program *program, int status);

/* It surely left no children that are recorded. @area: of the log */
bool burst_program_childless(const struct burst_program *program, const struct bursts_area *area);

/* No process is recorded any more, nor will one come; asked once a started one has ended. */
bool burst_program_idle(const struct burst_program *program);

/* The ends of threads are not seen, nor are children recorded. */
bool burst_program_by_hand(const struct burst_program *program);

/* CPU time of what is observed, ns. */
double burst_program_cpu(const struct burst_program *program);

/* What still runs goes on unrecorded. */
void burst_program_leave(struct burst_program *program);

/**
 * burst_program_finish() - all was taken.
 *
 * Return: the size from which on heap blocks were reported; 0 = none is known.
 */
uint32_t burst_program_finish(struct burst_program *program);

/* Why there are no bursts where no process has had the library; NULL where that was said before. */
const char *burst_program_nobody(const struct burst_program *program);

#endif /* CCSAMPLE_BURST_SOURCE_BURST_PROGRAM_H */
