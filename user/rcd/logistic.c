// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rcd/logistic.h"

#define STEPS_MOST	100
#define HALVINGS_MOST	40
#define GAIN_LEAST	1e-13	/* of the log-likelihood, relative */

/* The rows with x in standard deviations from its mean. */
struct fit {
	const struct logistic_row *rows;
	size_t count;
	double mean, deviation;
	double ridge;
};

/* log(1 + e^t), without overflow. */
static double log_one_plus_exp(double t)
{
	return t > 0 ? t + log1p(exp(-t)) : log1p(exp(t));
}

static double chance_of(double t)
{
	return t >= 0 ? 1 / (1 + exp(-t)) : exp(t) / (1 + exp(t));
}

static double scaled(const struct fit *fit, size_t row)
{
	return (fit->rows[row].x - fit->mean) / fit->deviation;
}

static double log_likelihood(const struct fit *fit, double a, double b)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < fit->count; i++) {
		double t = a + b * scaled(fit, i);

		sum += fit->rows[i].conflicting ? -log_one_plus_exp(-t) : -log_one_plus_exp(t);
	}
	return sum;
}

static double penalized(const struct fit *fit, double a, double b)
{
	return log_likelihood(fit, a, b) - fit->ridge / 2 * b * b;
}

/* Newton's step from (a, b). Return: false where the curvature vanishes. */
static bool newton_step(const struct fit *fit, double a, double b, double *da, double *db)
{
	double ga = 0, gb = -fit->ridge * b, haa = 0, hab = 0, hbb = fit->ridge, determinant;
	size_t i;

	for (i = 0; i < fit->count; i++) {
		double z = scaled(fit, i), p = chance_of(a + b * z), w = p * (1 - p);
		double residual = fit->rows[i].conflicting - p;

		ga += residual;
		gb += residual * z;
		haa += w;
		hab += w * z;
		hbb += w * z * z;
	}
	determinant = haa * hbb - hab * hab;
	if (!(determinant > 1e-300))
		return false;
	*da = (hbb * ga - hab * gb) / determinant;
	*db = (haa * gb - hab * ga) / determinant;
	return isfinite(*da) && isfinite(*db);
}

/* One step, halved until it gains. Return: false when no step does. */
static bool advance(const struct fit *fit, double *a, double *b, double *reached)
{
	double da, db, next;
	int halvings;

	if (!newton_step(fit, *a, *b, &da, &db))
		return false;
	for (halvings = 0; halvings < HALVINGS_MOST; halvings++, da /= 2, db /= 2) {
		next = penalized(fit, *a + da, *b + db);
		if (next <= *reached)
			continue;
		*a += da;
		*b += db;
		da = next - *reached;
		*reached = next;
		return da > GAIN_LEAST * (1 + fabs(next));
	}
	return false;
}

static int prepare(struct fit *fit, size_t *conflicting)
{
	double squares = 0;
	size_t i;

	*conflicting = 0;
	for (i = 0; i < fit->count; i++) {
		if (!isfinite(fit->rows[i].x))
			return -EINVAL;
		fit->mean += fit->rows[i].x / fit->count;
		*conflicting += fit->rows[i].conflicting;
	}
	for (i = 0; i < fit->count; i++)
		squares += (fit->rows[i].x - fit->mean) * (fit->rows[i].x - fit->mean);
	if (!*conflicting || *conflicting == fit->count || !(squares > 0))
		return -EINVAL;
	fit->deviation = sqrt(squares / fit->count);
	return 0;
}

int logistic_fit(const struct logistic_row *rows, size_t count, double ridge,
		 struct logistic *model)
{
	struct fit fit = { .rows = rows, .count = count, .ridge = ridge };
	double a, b = 0, reached;
	uint32_t steps = 0;
	size_t conflicting;

	if (prepare(&fit, &conflicting))
		return -EINVAL;
	a = log((double)conflicting / (count - conflicting));
	reached = penalized(&fit, a, b);
	while (steps < STEPS_MOST && advance(&fit, &a, &b, &reached))
		steps++;
	*model = (struct logistic){
		.intercept = a - b * fit.mean / fit.deviation,
		.slope = b / fit.deviation,
		.likelihood = log_likelihood(&fit, a, b),
		.steps = steps,
	};
	return 0;
}

double logistic_chance(const struct logistic *model, double x)
{
	return chance_of(model->intercept + model->slope * x);
}

double logistic_boundary(const struct logistic *model)
{
	return -model->intercept / model->slope;
}

static double ratio(double part, double whole)
{
	return whole > 0 ? part / whole : NAN;
}

double score_precision(const struct logistic_score *score)
{
	return ratio(score->true_positive, score->true_positive + score->false_positive);
}

double score_recall(const struct logistic_score *score)
{
	return ratio(score->true_positive, score->true_positive + score->false_negative);
}

double score_f1(const struct logistic_score *score)
{
	return ratio(2.0 * score->true_positive,
		     2.0 * score->true_positive + score->false_positive + score->false_negative);
}

static void score_add(struct logistic_score *score, bool is, bool called)
{
	score->true_positive += is && called;
	score->false_positive += !is && called;
	score->true_negative += !is && !called;
	score->false_negative += is && !called;
}

/* Deals the groups to folds, in the order they appear. */
static void deal(const struct logistic_row *rows, size_t count, uint32_t folds, uint32_t *fold)
{
	uint32_t next = 0;
	size_t i, j;

	for (i = 0; i < count; i++) {
		for (j = 0; j < i && rows[j].group != rows[i].group; j++)
			;
		fold[i] = j < i ? fold[j] : next++ % folds;
	}
}

int logistic_validate(const struct logistic_row *rows, size_t count, uint32_t folds, double ridge,
		      bool *conflicting, struct logistic_score *score)
{
	struct logistic_row *others = calloc(count + 1, sizeof(*others));
	uint32_t *fold = calloc(count + 1, sizeof(*fold)), f;
	int error = folds < 2 ? -EINVAL : others && fold ? 0 : -ENOMEM;
	size_t i;

	memset(score, 0, sizeof(*score));
	if (!error)
		deal(rows, count, folds, fold);
	for (f = 0; !error && f < folds; f++) {
		struct logistic model;
		size_t rest = 0;
		bool learnt;

		for (i = 0; i < count; i++)
			if (fold[i] != f)
				others[rest++] = rows[i];
		learnt = !logistic_fit(others, rest, ridge, &model);
		for (i = 0; i < count; i++) {
			bool called = learnt && logistic_chance(&model, rows[i].x) > 0.5;

			if (fold[i] != f)
				continue;
			if (conflicting)
				conflicting[i] = called;
			score_add(score, rows[i].conflicting, called);
		}
	}
	free(others);
	free(fold);
	return error;
}
