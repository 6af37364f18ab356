/* SPDX-License-Identifier: GPL-2.0-only */
/* A place in the code of libccsample-native.so, by which libccsample-bursts.so finds that code. */
#ifndef CCSAMPLE_TRACEE_PRELOAD_MARKER_H
#define CCSAMPLE_TRACEE_PRELOAD_MARKER_H

void ccsample_sideband_marker(void);

#endif /* CCSAMPLE_TRACEE_PRELOAD_MARKER_H */
