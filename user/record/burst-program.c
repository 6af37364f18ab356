// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "base/fail.h"
#include "base/memory.h"
#include "host/install.h"
#include "host/program.h"
#include "record/burst-program.h"
#include "tracee/bursts/log.h"

int burst_program_find(struct burst_program *program, const char *name)
{
	char *dir = install_find(&install_bursts);

	if (!dir)
		return -1;
	program->library = xasprintf("%s/%s", dir, install_bursts.file);
	free(dir);
	program->path = program_find_or_say(name);
	if (!program->path)
		return -1;
	if (program_takes_no_library(program->path) == program_uses_musl)
		return fail("%s cannot be traced in bursts: %s; --source engine records it", name,
			    program_uses_musl);
	return 0;
}

void burst_program_free(struct burst_program *program)
{
	free(program->library);
	free(program->path);
}

/* Before the side band's library, whose own signals and forks are then those of any program. */
void burst_program_environment(const struct burst_program *program,
			       const struct sideband *sideband, const char *area)
{
	char *all;

	sideband_environment(sideband);
	all = xasprintf("%s:%s", program->library, getenv("LD_PRELOAD"));
	setenv("LD_PRELOAD", all, 1);
	setenv(BURSTS_ENVIRONMENT, area, 1);
	free(all);
}
