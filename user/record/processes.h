/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which process image a process was at a time, in a native recording.
 *
 * The module's marks show where images begin and end (fork, exec, exit). What an
 * image holds is reported by the preloaded library in it (record/sideband.h); of one
 * that has none (static, setuid, or running before we came) it is read from
 * /proc/PID/maps: at its exec, and every now and then. A new process gets a
 * moment for its library to report before it is taken to have none; its samples
 * wait so long.
 */
#ifndef CCSAMPLE_RECORD_PROCESSES_H
#define CCSAMPLE_RECORD_PROCESSES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "ccsample.h"
#include "record/images.h"
#include "record/sideband.h"

struct processes;

/*
 * @sideband: NULL = no process has the library
 * @root: the process whose end processes_status() gives, 0 = none
 */
struct processes *processes_new(struct images *images, struct sideband *sideband, pid_t root);
void processes_free(struct processes *processes);

/**
 * processes_add() - a process that runs already; nothing happens if it is known.
 * @time: TSC; it is recorded from then on
 */
void processes_add(struct processes *processes, pid_t pid, uint64_t time);

/**
 * processes_mark() - a process forked, executed, or ended.
 * @now: in nanoseconds, of a clock that runs evenly
 */
void processes_mark(struct processes *processes, const struct ccsample_mark *mark, uint64_t now);

/* How a process ended, as waitpid gives it; @time: TSC. */
void processes_status(struct processes *processes, pid_t pid, int status, uint64_t time);

/**
 * processes_look() - look what became of those that wait, and what is mapped now.
 * @time: TSC, @now: nanoseconds
 * @last: no process is waited for any longer
 */
void processes_look(struct processes *processes, uint64_t time, uint64_t now, bool last);

/* Look what is mapped before what refers to it is written, unless that was just done. @time: TSC */
void processes_refresh(struct processes *processes, uint64_t time);

/* Samples from this time on wait for a process to be known; CCS_UNKNOWN if none does. */
uint64_t processes_watermark(const struct processes *processes);

/**
 * processes_when() - the time from which an image is known that a process was at a time.
 *
 * Return: @time, or a later one: samples of its beginning come behind its first records.
 */
uint64_t processes_when(const struct processes *processes, pid_t pid, uint64_t time);

/* The time of the earliest record that was not written, CCS_UNKNOWN if there is none. */
uint64_t processes_next(const struct processes *processes);

/* Write all records up to a time. */
void processes_take(struct processes *processes, uint64_t until);

/* The image that a process was at a time that was taken; 0 = unknown. */
uint32_t processes_image(const struct processes *processes, pid_t pid, uint64_t time);

/* Does any known process live? */
bool processes_alive(const struct processes *processes);

#endif /* CCSAMPLE_RECORD_PROCESSES_H */
