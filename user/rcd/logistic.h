/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Simple logistic regression: the chance that a loop is conflicting, from one
 * number, its cf (CCProf, CGO'18, section 5.2).
 *
 *	log(p / (1 - p)) = intercept + slope x
 *
 * Fitted by iteratively reweighted least squares, that is Newton's method on
 * the likelihood (McCullagh and Nelder, Generalized Linear Models, 2.5). Where
 * a value of x parts the conflicting from the others the likelihood has no maximum;
 * so a ridge holds the slope, and steps that lose ground are halved. Pure.
 */
#ifndef CCSAMPLE_RCD_LOGISTIC_H
#define CCSAMPLE_RCD_LOGISTIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A slope of 10 per standard deviation of x costs half a unit of log-likelihood. */
#define LOGISTIC_RIDGE	0.01

struct logistic_row {
	double x;
	bool conflicting;
	uint32_t group;		/* rows of one program: never in training and validation both */
};

struct logistic {
	double intercept;
	double slope;
	double likelihood;	/* its logarithm, the ridge not counted */
	uint32_t steps;		/* of Newton's method that it took */
};

/**
 * logistic_fit() - the model that makes the rows most likely.
 * @ridge: penalty on the slope: ridge / 2 x (slope x standard deviation of x)^2; 0 = none
 *
 * Ends after at most 100 steps, whatever the rows are.
 *
 * Return: 0; -EINVAL if a row's x is no number, all x are the same, or all rows have one label.
 */
int logistic_fit(const struct logistic_row *rows, size_t count, double ridge,
		 struct logistic *model);

/* The chance that a loop with this x is conflicting, 0 to 1. */
double logistic_chance(const struct logistic *model, double x);

/* The x at which the chance is 1/2; not finite for a slope of 0. */
double logistic_boundary(const struct logistic *model);

/* How often a classifier was right. */
struct logistic_score {
	uint64_t true_positive, false_positive, true_negative, false_negative;
};

double score_precision(const struct logistic_score *score);	/* NAN: none called conflicting */
double score_recall(const struct logistic_score *score);	/* NAN: none is */
double score_f1(const struct logistic_score *score);		/* NAN: neither */

/**
 * logistic_validate() - cross-validation: each fold judged by a model of all the others.
 * @folds: at least 2; the groups are dealt out in turn, in the order they first appear
 * @conflicting: filled with the judgement of each row, NULL = not wanted
 * @score: filled; rows whose fold leaves nothing to learn from are called clean
 *
 * Return: 0, -EINVAL for fewer than 2 folds, or -ENOMEM.
 */
int logistic_validate(const struct logistic_row *rows, size_t count, uint32_t folds, double ridge,
		      bool *conflicting, struct logistic_score *score);

#endif /* CCSAMPLE_RCD_LOGISTIC_H */
