/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_KMOD_COMPAT_GENETLINK_H
#define CCSAMPLE_KMOD_COMPAT_GENETLINK_H

#include <net/genetlink.h>

/*
 * Groups for who has CAP_SYS_ADMIN: 6.8 and later, and later releases of 6.1 and 6.6. Elsewhere a
 * group would be open to all users, so there is none.
 */
#ifdef GENL_MCAST_CAP_SYS_ADMIN
#define HAS_ADMIN_GROUPS	true
#define ADMIN_GROUP(group)	{ .name = (group), .flags = GENL_MCAST_CAP_SYS_ADMIN }
#else
#define HAS_ADMIN_GROUPS	false
#define ADMIN_GROUP(group)	{ .name = (group) }
#endif

#endif /* CCSAMPLE_KMOD_COMPAT_GENETLINK_H */
