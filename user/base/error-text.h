/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_BASE_ERROR_TEXT_H
#define CCSAMPLE_BASE_ERROR_TEXT_H

/* As strerror(), with what helps where a limit of this process is reached. */
const char *error_text(int error);

#endif /* CCSAMPLE_BASE_ERROR_TEXT_H */
