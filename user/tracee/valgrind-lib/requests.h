/* SPDX-License-Identifier: GPL-2.0-only */
/* What the wrappers in the program (preload.c) send the tool (heap.c). */
#ifndef CCSAMPLE_TRACEE_VALGRIND_LIB_REQUESTS_H
#define CCSAMPLE_TRACEE_VALGRIND_LIB_REQUESTS_H

#include "valgrind.h"

enum engine_request {
	REQUEST_ALLOC = VG_USERREQ_TOOL_BASE('C', 'S'),	/* address, size */
	REQUEST_FREE,		/* address; about to be freed */
	REQUEST_REALLOC,	/* old address, new address, size; it is done */
	REQUEST_MAPPING,	/* address, size, the wrapped function's address */
	REQUEST_UNMAPPING,	/* address; about to be unmapped */
	REQUEST_REMAPPING,	/* old address, new address, size; it is done */
};

/* What programs may ask themselves, by uapi/ccsample-marks.h: contract, never to be changed. */
enum marks_request {
	REQUEST_MARK_BEGIN = VG_USERREQ_TOOL_BASE('C', 'M'),
	REQUEST_MARK_END,
};

#endif /* CCSAMPLE_TRACEE_VALGRIND_LIB_REQUESTS_H */
