/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_ANALYSIS_BUILD_H
#define CCSAMPLE_ANALYSIS_BUILD_H

#include "analysis/pass.h"
#include "data/recording.h"

/**
 * findings_build() - what a finished pass has found.
 * @path: of the recording
 * @pass: taken over by the findings
 * @recording: read to its end
 */
struct findings *findings_build(const char *path, struct pass *pass,
				const struct recording *recording);

#endif /* CCSAMPLE_ANALYSIS_BUILD_H */
