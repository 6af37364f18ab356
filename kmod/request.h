/* SPDX-License-Identifier: GPL-2.0-only */
/* What a caller may ask for, and what it becomes. */
#ifndef CCSAMPLE_KMOD_REQUEST_H
#define CCSAMPLE_KMOD_REQUEST_H

#include "session.h"

/**
 * ccsample_request_apply() - check a request, and lay the session out as it says.
 * @s: fresh; its memory, filter and constants are set (on errors, too, what was made so far)
 * @ask: the request; its `out` fields are filled in
 *
 * Return: 0, -EINVAL, -EPERM, -EOPNOTSUPP, -ENOMEM, -ENOSPC, -ESRCH or -ENODEV.
 */
int ccsample_request_apply(struct ccsample_session *s, struct ccsample_open *ask);

#endif /* CCSAMPLE_KMOD_REQUEST_H */
