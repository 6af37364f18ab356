/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The virtual core's TCG helpers: before an access; at a due instruction count; at a place. */
DEF_HELPER_4(vcore_access, void, env, tl, tl, i32)
DEF_HELPER_1(vcore_insns_due, void, env)
DEF_HELPER_2(vcore_place, void, env, tl)
