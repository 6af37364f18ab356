/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef CCSAMPLE_CMD_COLOUR_H
#define CCSAMPLE_CMD_COLOUR_H

#include <stdbool.h>

/* Whether standard output is a terminal that shows colours, and NO_COLOR does not forbid them. */
bool wants_colour(void);

#endif /* CCSAMPLE_CMD_COLOUR_H */
