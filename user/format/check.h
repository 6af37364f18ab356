/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Is a record well-formed? Asked of everything that comes from a file or from
 * the engine, and of everything that goes into a file.
 */
#ifndef CCSAMPLE_FORMAT_CHECK_H
#define CCSAMPLE_FORMAT_CHECK_H

#include <stddef.h>

#include "format/format.h"

/**
 * record_check() - check a record by the layout of its type (format/record-types.h).
 * @record: aligned to 8 bytes; at least @room bytes may be read
 * @room: bytes from the record to the end of its chunk or message
 *
 * Sizes, counts and the parts of variable size are checked, and the values that
 * a reader would divide by, index with or take for an address range. A record
 * may be longer than its parts (a newer minor version appends fields). Of an
 * unknown type only the header is checked.
 *
 * Return: NULL, or what is wrong.
 */
const char *record_check(const struct ccs_record *record, size_t room);

#endif /* CCSAMPLE_FORMAT_CHECK_H */
