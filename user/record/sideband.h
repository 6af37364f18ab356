/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What natively running programs report of themselves: process images, threads,
 * maps and heap blocks, from the preloaded library native/ in each of them.
 *
 * Each image connects to a SOCK_SEQPACKET socket (record/listener.h) whose path is in
 * the variable CCSAMPLE_SIDEBAND, and sends one descriptor: of a ring in shared
 * memory (tracee/preload/ring.h) that it fills with the records of format/format.h,
 * time stamped with the TSC, in their order. So nothing is held back in the
 * program, writing a record costs it no system call, and what a killed program
 * had written is read all the same. Where the recorder wants to look at its memory, an image
 * says at its exit that it leaves, by its socket, and waits for that (at most a second).
 */
#ifndef CCSAMPLE_RECORD_SIDEBAND_H
#define CCSAMPLE_RECORD_SIDEBAND_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "record/images.h"

struct sideband;

/**
 * sideband_open() - make the socket; environment variables for the program are set by
 * sideband_environment().
 * @least_block: bytes; smaller heap blocks are not reported, 0 = all are
 * @leaving: images wait at their exit for sideband_release()
 *
 * Return: NULL after one line on standard error.
 */
struct sideband *sideband_open(struct images *images, uint32_t least_block, bool leaving);

/* In the child, before exec: LD_PRELOAD and the socket's name. */
void sideband_environment(const struct sideband *sideband);

/* A descriptor that is readable when there is something for sideband_poll(). */
int sideband_descriptor(const struct sideband *sideband);

/* Take new connections and goodbyes. Never waits. */
void sideband_poll(struct sideband *sideband);

/**
 * sideband_take() - write the records of all images up to a time.
 * @until: TSC; later records are left in their rings
 */
void sideband_take(struct sideband *sideband, uint64_t until);

/**
 * sideband_take_begun() - write what a process maps and allocates while a burst of it runs.
 * @until: TSC, of the burst's end; sideband_take() was called for its beginning
 *
 * What it frees and unmaps until then is left to the next sideband_take(), so that the burst, which
 * is to be written between, finds all that it may have used.
 */
void sideband_take_begun(struct sideband *sideband, pid_t pid, uint64_t until);

/**
 * sideband_began() - when a process image reported.
 * @after: TSC
 *
 * Return: the time of the process's first PROCESS record stamped @after or later, whether
 * it was written or not; CCS_UNKNOWN if sideband_poll() has seen none.
 */
uint64_t sideband_began(struct sideband *sideband, pid_t pid, uint64_t after);

/* The time of the earliest record that sideband_take() has not written, CCS_UNKNOWN if none. */
uint64_t sideband_next(struct sideband *sideband);

/* What a process became by its last exec is recorded by somebody else: no library will report. */
void sideband_left(struct sideband *sideband, pid_t pid);

/**
 * sideband_leaving() - the next process that waits at its exit for its pages to be looked at.
 *
 * Return: its pid, 0 if none waits. sideband_release() lets it go.
 */
pid_t sideband_leaving(struct sideband *sideband);
void sideband_release(struct sideband *sideband, pid_t pid);

/* No connected image is left. */
bool sideband_done(const struct sideband *sideband);

void sideband_close(struct sideband *sideband);

#endif /* CCSAMPLE_RECORD_SIDEBAND_H */
