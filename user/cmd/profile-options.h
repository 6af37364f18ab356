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
};

/* Return: 0, 1 after help was printed, -1 after one line on standard error. */
int profile_parse(int argc, char **argv, struct profile_arguments *arguments);

/* The caches, and the level that is to be shared, checked. Return: 0, or -1 after one line. */
int profile_plan(struct profile_arguments *arguments, struct hierarchy_plan *plan);

int profile_main(int argc, char **argv);

#endif /* CCSAMPLE_CMD_PROFILE_OPTIONS_H */
