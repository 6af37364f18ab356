// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>

#include "share-model/motion.h"

#define ROUNDS_MAX	2000u
#define CHANGE_SMALL	1e-7	/* relative */

bool motion_round(struct share_end *end)
{
	if (end->stable || end->rounds == ROUNDS_MAX)
		return false;
	end->rounds++;
	end->change = 0;
	end->stable = true;
	return true;
}

void motion_to(struct motion *motion, double wanted, struct share_end *end)
{
	double change = log(wanted / motion->speed);

	if (change * motion->last < 0)
		motion->weight /= 2;
	else
		motion->weight = fmin(motion->weight * 1.25, 1);
	motion->last = change;
	motion->speed *= exp(motion->weight * change);
	end->change = fmax(end->change, fabs(change));
	end->stable = end->change < CHANGE_SMALL;
}
