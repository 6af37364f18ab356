// SPDX-License-Identifier: GPL-2.0-only
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/fail.h"
#include "base/memory.h"
#include "options/output-name.h"
#include "output/prose.h"

const char *output_rank(void)
{
	static const char *const names[] = {
		"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK",
		"SLURM_PROCID",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const char *rank = getenv(names[i]);

		if (rank && *rank && strspn(rank, "0123456789") == strlen(rank) &&
		    strlen(rank) < 10)
			return rank;
	}
	return NULL;
}

static char *host_name(void)
{
	char name[HOST_NAME_MAX + 1];

	if (gethostname(name, sizeof(name)))
		return xstrdup("unknown");
	name[HOST_NAME_MAX] = '\0';
	name[strcspn(name, "/")] = '\0';
	return xstrdup(name);
}

/* What a letter stands for. Return: allocated, or NULL after one line. */
static char *part(const char *pattern, char letter)
{
	switch (letter) {
	case '%':
		return xstrdup("%");
	case 'p':
		return xasprintf("%d", (int)getpid());
	case 'h':
		return host_name();
	case 'r':
		if (output_rank())
			return xstrdup(output_rank());
		fail("-o %s: no rank for %%r: this was not started by mpirun or srun; %%p is this "
		     "process's id", pattern);
		return NULL;
	}
	fail("-o %s: after %% comes p (process id), h (host), r (rank) or %%", pattern);
	return NULL;
}

/* Return: allocated, or NULL after one line. */
static char *output_name(const char *pattern)
{
	char *name = xstrdup(""), *piece;
	size_t plain;

	for (const char *at = pattern; *at;) {
		plain = strcspn(at, "%");
		piece = plain ? xstrndup(at, plain) : part(pattern, at[1]);
		if (!piece) {
			free(name);
			return NULL;
		}
		prose_append_free(&name, piece);
		at += plain ? plain : 2;
	}
	return name;
}

int output_option(const struct option_row *row, const char *value, void *target)
{
	static char *name;	/* as the default, it lives as long as the process */
	char *given = output_name(value);

	if (!given)
		return -1;
	free(name);
	name = given;
	*(const char **)target = name;
	return 0;
}
