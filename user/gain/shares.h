/* SPDX-License-Identifier: GPL-2.0-only */
/* What bursts say of the share of the time that is saved, put together. Pure. */
#ifndef CCSAMPLE_GAIN_SHARES_H
#define CCSAMPLE_GAIN_SHARES_H

#include <stdbool.h>
#include <stddef.h>

/* Of the program's CPU time, saved. */
struct time_share {
	double low, share, high;	/* NAN = not known */
	double noise;	/* half the interval without what all layouts share; 0 = a model's */
	size_t pieces;			/* run */
};

/* Of a burst. */
struct burst_share {
	double time;			/* that it stands for, > 0 */
	double low, share, high;	/* of it, saved */
};

/**
 * shares_mean() - the share of the whole time.
 * @bursts: at least two, or it is not known
 *
 * The interval has what each burst leaves open, then the larger of two things. The spread between
 * bursts (95%): their weights say nothing of what they save, so that the mean has the variance of a
 * burst by their effective number (Kish, Survey Sampling, 8.2), at as many degrees of freedom as
 * the estimate of that variance has (Satterthwaite, Biometrics Bulletin 2, 1946). What none of that
 * effective number met, by the rule of three: of it all may be saved, or nothing. And 10 points for
 * what the rerun itself is wrong by.
 */
struct time_share shares_mean(const struct burst_share *bursts, size_t count);

/* More than what measuring again may change, and worth a word? */
bool time_saves_more(const struct time_share *time, const struct time_share *than);

#endif /* CCSAMPLE_GAIN_SHARES_H */
