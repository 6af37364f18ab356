/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a source of recordings does. A source runs a program, or watches a
 * running one, and hands the records of its process images to record/images.h.
 * The loop, signals, progress and the end of the program are record/run.c's.
 *
 * A new source is one file with a struct source_ops and one row in the table of
 * run.c. It uses struct source_run, which lives from start() to close().
 */
#ifndef CCSAMPLE_RECORD_SOURCE_H
#define CCSAMPLE_RECORD_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "record/request.h"
#include "record/signals.h"

/* One recording in the making: what a source works on. */
struct source_run {
	struct record_request *request;
	struct recording_writer *writer;	/* NULL = only the request's listener gets them */
	struct images *images;
	struct signals_before inherited;	/* to be restored in the program's process */
	pid_t program;		/* start() sets it: our child; 0 = it ran before us */
	uint64_t load_misses;	/* finish() sets it, where no COUNTS of images hold them */
};

struct source_ops {
	const char *name;	/* in --source, and as the recording's "source" */
	const char *clock;	/* its unit of time, see CCS_META: "instructions", "tsc", "ns" */

	bool stores;		/* misses of stores are sampled, too */
	bool classes;		/* each sample has its class */
	bool entries;		/* images say where the program's own code begins */

	/* In which a child may report that was forked just before the program ended */
	uint64_t grace_ns;

	/* Can it be used on this machine? Return: NULL, or why not. May be NULL: always. */
	const char *(*absent)(void);

	/**
	 * open() - find what is needed; start nothing, write nothing.
	 * @request: may be completed (events by their codes); outlives the source
	 *
	 * Return: the source's own state, NULL after one line on standard error.
	 */
	void *(*open)(struct record_request *request);

	/**
	 * start() - begin to record: the program runs when it returns.
	 * @run: to be kept until close()
	 *
	 * Return: 0 with run->program set, or -1 after one line; nothing runs then.
	 */
	int (*start)(void *source, struct source_run *run);

	/* A descriptor that poll(2) finds readable when poll() has something to do; -1 = none. */
	int (*descriptor)(const void *source);

	/* Milliseconds after which poll() is due all the same. May be NULL: the loop's own tick. */
	int (*wait_ms)(const void *source);

	/* Take what has come, and write what is due. Never waits. */
	void (*poll)(void *source);

	/* The program was reaped. @status: as waitpid gives it. May be NULL. */
	void (*ended)(void *source, int status);

	/* Once it has ended: it surely left no children, so none is waited for. May be NULL. */
	bool (*childless)(const void *source);

	/* No process is recorded any more, nor will one come: asked once the program has ended. */
	bool (*idle)(void *source);

	/**
	 * finish() - take all that is left and write it; what still runs goes on unrecorded.
	 *
	 * Called once, after start() succeeded.
	 *
	 * Return: 0, or -1 after one line if nothing was recorded.
	 */
	int (*finish)(void *source);

	/* Free all, after finish(), a start() that failed, or open() alone. */
	void (*close)(void *source);
};

/* The source of a name. Return: NULL if there is none. */
const struct source_ops *source_find(const char *name);

/* Of record/engine.c, burst-source/bursts.c and device/device.c. */
extern const struct source_ops engine_source, bursts_source, device_source;

#endif /* CCSAMPLE_RECORD_SOURCE_H */
