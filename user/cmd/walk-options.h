/* SPDX-License-Identifier: GPL-2.0-only */
/* The options of both `emulate` and `stress`. */
#ifndef CCSAMPLE_CMD_WALK_OPTIONS_H
#define CCSAMPLE_CMD_WALK_OPTIONS_H

#include <stdbool.h>

#include "options/options.h"
#include "sharing/walk.h"

struct walk_arguments {
	struct walk_end end;
	bool quiet;
};

/* Fills a struct walk_arguments. */
extern const struct option_row walk_rows[];

/* Sets the default duration where no end was given. */
void walk_settle(struct walk_arguments *arguments);

/* Warns where sets could not be chosen by physical addresses. */
void walk_say_pages(const struct walk_arguments *arguments, const struct arena *arena);
void walk_say_done(const struct walk_arguments *arguments, uint64_t accesses);

#endif /* CCSAMPLE_CMD_WALK_OPTIONS_H */
