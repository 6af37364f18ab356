/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line of `ccsample profile`. */
#ifndef CCSAMPLE_CMD_PROFILE_OPTIONS_H
#define CCSAMPLE_CMD_PROFILE_OPTIONS_H

#include "cmd/sim-options.h"
#include "sharing/profile-build.h"

enum profile_method { PROFILE_ENGINE, PROFILE_STRESSMARK };

struct profile_arguments {
	struct sim_arguments sim;	/* caches, pages, phases, the program or trace */
	struct profile_request profile;
	enum profile_method method;
	struct hierarchy_plan plan;	/* the caches, checked */
};

/* Runs `ccsample profile` with its struct profile_arguments. */
int profile_main(void *options);

#endif /* CCSAMPLE_CMD_PROFILE_OPTIONS_H */
