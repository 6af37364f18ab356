// SPDX-License-Identifier: GPL-2.0-only
#include "base/array.h"
#include "cachesim/policy-names.h"

static const char *const policies[] = {
	[POLICY_LRU] = "lru", [POLICY_PLRU] = "plru", [POLICY_FIFO] = "fifo",
};

static const char *const inclusions[] = {
	[NON_INCLUSIVE] = "non-inclusive", [INCLUSIVE] = "inclusive", [EXCLUSIVE] = "exclusive",
};

static const char *const prefetchers[] = {
	[PREFETCH_NEXT_LINE] = "next-line", [PREFETCH_STRIDE] = "stride",
	[PREFETCH_ADJACENT] = "adjacent", [PREFETCH_STREAM] = "stream",
};

#define POLICIES	(int)ARRAY_SIZE(policies)
#define INCLUSIONS	(int)ARRAY_SIZE(inclusions)

bool word_same(const char *a, const char *b)
{
	for (; *a == *b; a++, b++)
		if (!*a)
			return true;
	return false;
}

static int place_of(const char *word, const char *const *words, int count)
{
	int place = 0;

	while (place < count && !word_same(word, words[place]))
		place++;
	return place;
}

bool policy_named(const char *word, enum cache_policy *policy)
{
	int place = place_of(word, policies, POLICIES);

	if (place < POLICIES)
		*policy = place;
	return place < POLICIES;
}

bool inclusion_named(const char *word, enum inclusion *inclusion)
{
	int place = place_of(word, inclusions, INCLUSIONS);

	if (place < INCLUSIONS)
		*inclusion = place;
	return place < INCLUSIONS;
}

const char *policy_name(enum cache_policy policy)
{
	return policies[policy];
}

const char *inclusion_name(enum inclusion inclusion)
{
	return inclusions[inclusion];
}

const char *prefetcher_name(enum prefetcher prefetcher)
{
	return prefetchers[prefetcher];
}

/* Whether the text begins with a word that a comma or the text's end ends. */
static bool begins_with(const char *text, const char *word)
{
	while (*word && *text == *word) {
		text++;
		word++;
	}
	return !*word && (!*text || *text == ',');
}

bool prefetchers_named(const char *words, uint32_t *on)
{
	uint32_t found = 0;
	int place;

	for (;; words++) {
		for (place = 0; place < PREFETCHERS; place++)
			if (begins_with(words, prefetchers[place]))
				break;
		if (place == PREFETCHERS)
			return false;
		found |= 1u << place;
		while (*words && *words != ',')
			words++;
		if (!*words)
			break;
	}
	*on = found;
	return true;
}
