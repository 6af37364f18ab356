/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How an access is told from the translator to helper_vcore_access(). */
#ifndef I386_VCORE_ACCESS_H
#define I386_VCORE_ACCESS_H

#define VCORE_SIZE          7           /* log2 of bytes */
#define VCORE_STORE         (1 << 3)
#define VCORE_LOCKED        (1 << 4)
#define VCORE_REST          (1 << 5)    /* the rest of an access of 16 or 32 bytes */
#define VCORE_NUMBER_SHIFT  8           /* which access of its instruction */

/* Code before whose instructions helper_vcore_place() is called. */
struct VCoreRange {
    uint64_t start, bytes;
};
extern struct VCoreRange vcore_range;

#endif
