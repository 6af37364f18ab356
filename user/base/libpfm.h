/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions of libpfm4 that are used: a megabyte of relocations, for names of events alone. */
#ifndef CCSAMPLE_BASE_LIBPFM_H
#define CCSAMPLE_BASE_LIBPFM_H

#include <perfmon/pfmlib.h>

struct libpfm {
	typeof(pfm_initialize) *initialize;
	typeof(pfm_strerror) *strerror;
	typeof(pfm_get_pmu_info) *get_pmu_info;
	typeof(pfm_get_event_next) *get_event_next;
	typeof(pfm_get_event_info) *get_event_info;
	typeof(pfm_get_event_attr_info) *get_event_attr_info;
	typeof(pfm_get_os_event_encoding) *get_os_event_encoding;
};

/* Loaded and started. Return: NULL after a line through fail(). */
const struct libpfm *libpfm_load(void);

#endif /* CCSAMPLE_BASE_LIBPFM_H */
