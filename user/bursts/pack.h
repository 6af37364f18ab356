/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A burst's references in few bytes, and back. Both sides foretell each reference: the instruction
 * that followed the last one when it ran before, and that instruction's last address and its last
 * stride. What is as foretold is counted; the rest is written as differences. Every burst stands by
 * itself.
 *
 * Pure: no I/O, no globals.
 */
#ifndef CCSAMPLE_BURSTS_PACK_H
#define CCSAMPLE_BURSTS_PACK_H

#include <stddef.h>
#include <stdint.h>

#include "bursts/reference.h"

struct burst_packer;

struct burst_packer *burst_packer_new(void);
void burst_packer_free(struct burst_packer *packer);

/* The burst's next reference. */
void burst_packer_add(struct burst_packer *packer, const struct burst_reference *reference);
/* Its next ones; their notes are the packer's. */
void burst_packer_add_all(struct burst_packer *packer, const struct burst_logged *all,
			  size_t count);

/**
 * burst_packer_end() - the burst is over; what is added next begins another.
 * @bytes: set to their number
 *
 * Return: the bytes, valid until the next burst_packer_add().
 */
const uint8_t *burst_packer_end(struct burst_packer *packer, size_t *bytes);

/* References of a burst, unpacked. Zeroed to begin with; ->all is to be freed. */
struct burst_references {
	struct burst_reference *all;
	size_t count, room;
	uint32_t largest;		/* size */
};

/**
 * burst_unpack() - the references of a burst, in order.
 * @to: takes them in place of what it held; those before an error are there, too
 *
 * Return: NULL, or what is wrong with the bytes. Any bytes are safe; one of them may stand for
 * very many references, so no more than @most are taken.
 */
const char *burst_unpack(const uint8_t *bytes, size_t size, uint64_t most,
			 struct burst_references *to);

#endif /* CCSAMPLE_BURSTS_PACK_H */
