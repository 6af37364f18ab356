/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stack-distance profiles of programs, as text: `key = value` lines, # begins a comment.
 * docs/explanation/sharing.md describes the keys.
 */
#ifndef CCSAMPLE_SHARING_PROFILE_FILE_H
#define CCSAMPLE_SHARING_PROFILE_FILE_H

#include "share-model/profile.h"

/**
 * profile_read() - read a profile.
 *
 * Return: 0, or -1 after one line that names file, line and what is wrong.
 */
int profile_read(struct profile *profile, const char *path);
void profile_free(struct profile *profile);

/* What is no profile is kept. Return: 0, or -1 after one line. */
int profile_may_replace(const char *path);

/* Return: 0, or -1 after one line. */
int profile_write(const struct profile *profile, const char *path);

#endif /* CCSAMPLE_SHARING_PROFILE_FILE_H */
