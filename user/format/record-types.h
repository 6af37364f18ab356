/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The one table of record types: what holds for all records of a type. Whoever
 * adds a type to enum ccs_record_type adds a row to record-types.c.
 *
 * Freestanding, as format/format.h.
 */
#ifndef CCSAMPLE_FORMAT_RECORD_TYPES_H
#define CCSAMPLE_FORMAT_RECORD_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "format/format.h"

#define RECORD_TYPES	56	/* numbers of types are below it */

/* Who may send records of a type to the recorder, which alone writes those without a sender. */
#define RECORD_OF_ENGINE	(1u << 0)	/* tracee/valgrind, over its socket */
#define RECORD_OF_LIBRARY	(1u << 1)	/* tracee/preload, through its ring */

struct record_type {
	const char *name;		/* as in enum ccs_record_type, without CCS_ */
	uint8_t size;			/* bytes of the fixed part, header included */
	bool timed;			/* the header is followed by a u64 time */
	bool result;			/* of a simulation: what it counted */
	uint8_t senders;		/* RECORD_OF_... */
};

/**
 * record_type_find() - the row of a type.
 *
 * Return: NULL for a type that this version does not know.
 */
const struct record_type *record_type_find(uint16_t type);

/**
 * record_time() - when a record's event happened, in the recording's clock.
 * @record: passes record_check()
 *
 * Return: the time; of SAMPLES that of the last one; 0 for records without a time.
 */
uint64_t record_time(const struct ccs_record *record);

#endif /* CCSAMPLE_FORMAT_RECORD_TYPES_H */
