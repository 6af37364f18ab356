// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/fail.h"
#include "base/late.h"
#include "base/libpfm.h"

#define ROW(name) { "pfm_" #name, offsetof(struct libpfm, name) }

const struct libpfm *libpfm_load(void)
{
	static const struct late_function functions[] = {
		ROW(initialize), ROW(strerror), ROW(get_pmu_info), ROW(get_event_next),
		ROW(get_event_info), ROW(get_event_attr_info), ROW(get_os_event_encoding), { 0 },
	};
	static struct libpfm libpfm;
	int status;

	if (late_load("libpfm.so.4", "libpfm4", functions, &libpfm))
		return NULL;
	/* Other machines' events have codes, too. */
	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	status = libpfm.initialize();
	if (status == PFM_SUCCESS)
		return &libpfm;
	fail("libpfm4 does not start: %s", libpfm.strerror(status));
	return NULL;
}
