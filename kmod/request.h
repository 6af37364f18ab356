/* SPDX-License-Identifier: GPL-2.0-only */
/* What a caller may ask for, and what it becomes. */
#ifndef CCSAMPLE_KMOD_REQUEST_H
#define CCSAMPLE_KMOD_REQUEST_H

#include "session.h"

/* A kind's features, and bursts where the administrator has forced them: enum ccsample_feature. */
u32 ccsample_request_features(const struct ccsample_cpu *kind);

/* The caller's rights and arguments. Return: 0, -EINVAL, -EPERM or -EOPNOTSUPP. */
int ccsample_request_check(const struct ccsample_open *ask);

/**
 * ccsample_request_apply() - lay a session out as a request says.
 * @s: fresh, with its CPU; its memory, filter and constants are set (on errors, too, what was made so far)
 * @ask: a checked request; its `out` fields are filled in
 *
 * Return: 0, -EINVAL (too little memory), -EPERM, -ESRCH, -ENOMEM or -ENOSPC.
 */
int ccsample_request_apply(struct ccsample_session *s, struct ccsample_open *ask);

/**
 * ccsample_request_period() - what other periods make of a session's gaps.
 * @ranges: filled in
 *
 * Return: 0, or -EINVAL where CCSAMPLE_OPEN would not take them.
 */
int ccsample_request_period(const struct ccsample_session *s, const struct ccsample_period *ask,
			    struct ccsample_ranges *ranges);

#endif /* CCSAMPLE_KMOD_REQUEST_H */
