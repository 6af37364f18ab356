/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The process images of a recording in the making: numbers them, knows where
 * each came from and how it ended, completes their records and writes them.
 */
#ifndef CCSAMPLE_RECORD_IMAGES_H
#define CCSAMPLE_RECORD_IMAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "format/recording.h"

#define LOST_KINDS	(CCS_LOST_EVENTS + 1)

struct images_totals {
	uint32_t images;
	uint64_t samples;
	uint64_t references;		/* traced, all or in bursts */
	uint64_t bursts;	/* with their continuations one each; of samples or references */
	uint64_t load_misses, store_misses;	/* by the last COUNTS of each image */
	uint64_t lost[LOST_KINDS];	/* by enum ccs_lost_kind */
	uint32_t unsupported;		/* instructions that the source could not run */
};

struct images;

/* What takes a source's records as they come, in addition to the recording. */
struct images_listener {
	void *context;
	void (*take)(void *context, const struct ccs_record *record);
	/* An engine that simulates wants to know what lies at an address. */
	void (*answer)(void *context, const struct ccs_sim_ask *ask, struct ccs_sim_answer *answer);
};

/* @writer, @listener: either may be NULL. */
struct images *images_new(struct recording_writer *writer,
			  const struct images_listener *listener);
void images_free(struct images *images);

/**
 * images_origin() - the image whose earlier records must be written before this message.
 *
 * A fork's child begins with what its parent had, and an exec ends the image
 * before it: what that one has sent must not come later in the recording.
 *
 * Return: its number, 0 if there is none.
 */
uint32_t images_origin(const struct images *images, const void *message, size_t size);

/**
 * images_at() - the image that a process was at a time, by the PROCESS records so far.
 * @time: of the recording's clock
 *
 * Return: its number, 0 if none of that process had begun.
 */
uint32_t images_at(const struct images *images, pid_t pid, uint64_t time);

/* The path of what a process runs, or ran last; "" = unknown. */
const char *images_program(const struct images *images, pid_t pid);

/**
 * images_message() - take what an image sent.
 * @image: its number, 0 before its first message; set then
 * @peer: its process id as the kernel gives it
 * @message: records, aligned to 8 bytes; completed in place
 *
 * Return: 0, or -1 if these are no records that a source may send (it was said).
 */
int images_message(struct images *images, uint32_t *image, pid_t peer, void *message, size_t size);

/**
 * images_answer() - what the image's latest message asked for.
 *
 * Return: the answer, or NULL if it asked for nothing. Valid until the next call.
 */
const struct ccs_sim_answer *images_answer(struct images *images);

/* Write a record (samples, frames) of an image that its source, not the image itself, took. */
void images_record(struct images *images, uint32_t image, struct ccs_record *record);

/* Write that something was lost; @image: 0 = of the whole recording. */
void images_lost(struct images *images, uint32_t image, enum ccs_lost_kind kind, uint64_t count);

/* An image, 0 = one that has not begun, is not recorded any further; its process may go on. */
void images_give_up(struct images *images, uint32_t image);

/* An image that did not say so ended at a time of its own clock, how is unknown. */
void images_ended(struct images *images, uint32_t image, uint64_t time);

/* The connection of an image has ended, for whatever reason. */
void images_closed(struct images *images, uint32_t image);

/**
 * images_settle() - look what became of images that ended without an EXIT.
 * @last: no more images will come
 *
 * One whose process is gone was killed; one whose process lives is on its way
 * through exec, or went where the source cannot follow: after a while it is so.
 *
 * Return: images still unsettled.
 */
uint32_t images_settle(struct images *images, bool last);

struct images_totals images_totals(const struct images *images);

#endif /* CCSAMPLE_RECORD_IMAGES_H */
