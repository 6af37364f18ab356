/* SPDX-License-Identifier: GPL-2.0-only */
/* What becomes of programs that share a cache: profiles in, the model's findings out. */
#ifndef CCSAMPLE_SHARING_PREDICTION_H
#define CCSAMPLE_SHARING_PREDICTION_H

#include <stdbool.h>
#include <stddef.h>

#include "share-model/model.h"
#include "share-model/profile.h"
#include "share-model/shares.h"

/* Change of a program's slowdown when something is a tenth more, in parts of its solo speed. */
struct sensitivity {
	double own_speed;	/* its solo instructions per cycle */
	double other_speed;	/* those of all others */
	double penalty;		/* its penalty of a miss */
};

struct shared_program {
	const struct profile *profile;
	const char *name;		/* the profile's file */
	double api;			/* accesses per instruction */
	double *alone, *together;	/* ways + 1 shares of its accesses by distance */
	double miss_ratio_alone, miss_ratio;
	double ipc;			/* together */
	double slowdown;		/* 1 - ipc / solo ipc */
	struct steady_share steady;	/* what the model of steady shares says */
	struct sensitivity sensitivity;
	double *by_one;			/* slowdown with one other program each; 0 with itself;
					 * NULL where speeds or miss ratios were given
					 */
};

struct sharing {
	struct cache_geometry cache;
	enum share_reuse reuse;
	size_t groups;			/* of sets; 1 = all sets are taken for alike */
	bool given;			/* speeds or miss ratios were: nothing was iterated */
	struct share_end end;
	struct shared_program *programs;
	size_t count;
	struct profile combined;	/* all programs as one */
};

struct sharing_request {
	enum share_reuse reuse;
	bool by_set;			/* use the profiles' sets, which all of them have */
	/*
	 * What was measured of each program together with the others, in place of the fixed point
	 * (figures 6 and 7 of the paper); NULL = not known.
	 */
	const double *ipc;		/* profiles disturb each other at these speeds */
	const double *miss_ratio;	/* speeds follow from these */
};

/**
 * sharing_new() - predict.
 * @profiles: @count of them, of the same cache; they must outlive the findings
 * @names: their files
 *
 * Return: NULL after one line on standard error.
 */
struct sharing *sharing_new(const struct profile *profiles, const char *const *names,
			    size_t count, const struct sharing_request *request);
void sharing_free(struct sharing *sharing);

#endif /* CCSAMPLE_SHARING_PREDICTION_H */
