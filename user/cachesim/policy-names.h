/* SPDX-License-Identifier: GPL-2.0-only */
/* The words that people use for policies and inclusions. Freestanding. */
#ifndef CCSAMPLE_CACHESIM_POLICY_NAMES_H
#define CCSAMPLE_CACHESIM_POLICY_NAMES_H

#include <stdbool.h>

#include "cachesim/hierarchy.h"

bool word_same(const char *a, const char *b);

/* Return: whether the word is one; only then the value is written. */
bool policy_named(const char *word, enum cache_policy *policy);
bool inclusion_named(const char *word, enum inclusion *inclusion);

const char *policy_name(enum cache_policy policy);
const char *inclusion_name(enum inclusion inclusion);

/* "next-line", "stride", "adjacent", "stream". */
const char *prefetcher_name(enum prefetcher prefetcher);

/* @words: some of them, with commas between. Return: as above; @on: a bit for each */
bool prefetchers_named(const char *words, uint32_t *on);

#endif /* CCSAMPLE_CACHESIM_POLICY_NAMES_H */
