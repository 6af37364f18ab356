// SPDX-License-Identifier: GPL-2.0-only
/*
 * The regression against published fits, closed forms and a search of the
 * likelihood that knows nothing of Newton; cross-validation against itself by hand.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "rcd/logistic.h"
#include "tap.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static uint64_t state = 0x1234567;

static double uniform(void)
{
	return random_unit(&state);
}

static bool near(double a, double b, double tolerance)
{
	return fabs(a - b) <= tolerance;
}

/* Dalal, Fowlkes, Hoadley, JASA 84 (1989): O-rings of 23 shuttle flights by temperature. */
static void test_o_rings(void)
{
	static const int temperature[] = { 66, 70, 69, 68, 67, 72, 73, 70, 57, 63, 70, 78, 67, 53,
					   67, 75, 70, 81, 76, 79, 75, 76, 58 };
	static const int damaged[] = { 0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0,
				       1, 0, 1 };
	struct logistic_row rows[COUNT(damaged)];
	struct logistic model;
	size_t i;

	for (i = 0; i < COUNT(rows); i++)
		rows[i] = (struct logistic_row){ temperature[i], damaged[i], i };
	ok(!logistic_fit(rows, COUNT(rows), 0, &model), "O-rings: fitted");
	ok(near(model.intercept, 15.0429, 1e-4) && near(model.slope, -0.2322, 1e-4),
	   "O-rings: 15.0429 - 0.2322 x as published (%.4f %.4f)", model.intercept, model.slope);
	ok(near(-2 * model.likelihood, 20.315, 1e-3), "O-rings: deviance 20.315 (%.4f)",
	   -2 * model.likelihood);
}

/* Hours of study and passing: the textbook's 20 students. */
static void test_students(void)
{
	static const double hours[] = { 0.50, 0.75, 1.00, 1.25, 1.50, 1.75, 1.75, 2.00, 2.25, 2.50,
					2.75, 3.00, 3.25, 3.50, 4.00, 4.25, 4.50, 4.75, 5.00,
					5.50 };
	static const int passed[] = { 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1 };
	struct logistic_row rows[COUNT(hours)];
	struct logistic model;
	size_t i;

	for (i = 0; i < COUNT(rows); i++)
		rows[i] = (struct logistic_row){ hours[i], passed[i], i };
	logistic_fit(rows, COUNT(rows), 0, &model);
	ok(near(model.intercept, -4.0777, 1e-4) && near(model.slope, 1.5046, 1e-4),
	   "students: -4.0777 + 1.5046 x as published (%.4f %.4f)", model.intercept, model.slope);
	ok(near(model.likelihood, -8.02988, 1e-5), "students: log-likelihood -8.02988 (%.5f)",
	   model.likelihood);
	ok(near(logistic_chance(&model, 2), 0.25570, 1e-5) &&
	   near(logistic_chance(&model, 4), 0.87444, 2e-5), "students: chances at 2 and 4 hours");
	ok(near(logistic_chance(&model, logistic_boundary(&model)), 0.5, 1e-12),
	   "the boundary is where the chance is 1/2");
}

/* With x of two values the model goes through both shares. */
static void test_closed_form(void)
{
	struct logistic_row rows[50];
	struct logistic model;
	size_t i;

	for (i = 0; i < 20; i++)
		rows[i] = (struct logistic_row){ 0, i < 3, i };
	for (; i < 50; i++)
		rows[i] = (struct logistic_row){ 1, i < 44, i };
	logistic_fit(rows, 50, 0, &model);
	ok(near(model.intercept, log(3.0 / 17), 1e-6) &&
	   near(model.slope, log(24.0 / 6) - log(3.0 / 17), 1e-6), "two values of x: the logits");
}

static double penalized(const struct logistic_row *rows, size_t count, double ridge, double a,
			double b)
{
	double sum = 0, mean = 0, squares = 0;
	size_t i;

	for (i = 0; i < count; i++)
		mean += rows[i].x / count;
	for (i = 0; i < count; i++)
		squares += (rows[i].x - mean) * (rows[i].x - mean) / count;
	for (i = 0; i < count; i++) {
		double p = 1 / (1 + exp(-(a + b * rows[i].x)));

		sum += log(rows[i].conflicting ? p : 1 - p);
	}
	return sum - ridge / 2 * b * b * squares;
}

/* A search by ever smaller steps along both axes and both diagonals. */
static double search(const struct logistic_row *rows, size_t count, double ridge)
{
	double a = 0, b = 0, best = penalized(rows, count, ridge, a, b), step;
	bool better;
	int i;

	for (step = 8; step > 1e-7; better ? 0 : (step /= 2)) {
		better = false;
		for (i = 0; i < 9; i++) {
			double u = a + (i % 3 - 1) * step, v = b + (i / 3 - 1) * step;
			double reached = penalized(rows, count, ridge, u, v);

			if (!(reached > best))
				continue;
			best = reached;
			a = u;
			b = v;
			better = true;
		}
	}
	return best;
}

static void test_search(void)
{
	size_t worst = 0, count, i;
	int run;

	for (run = 0; run < 50; run++) {
		double ridge = run % 2 ? LOGISTIC_RIDGE : 0.3, slope = 8 * uniform() - 4;
		double found, best;
		struct logistic_row rows[40];
		struct logistic model;

		count = 8 + 32 * uniform();
		for (i = 0; i < count; i++) {
			double x = 2 * uniform() - 1;

			rows[i] = (struct logistic_row){ .x = x, .group = i };
			rows[i].conflicting = uniform() < 1 / (1 + exp(-slope * x));
		}
		rows[0].conflicting = true;
		rows[1].conflicting = false;
		logistic_fit(rows, count, ridge, &model);
		found = penalized(rows, count, ridge, model.intercept, model.slope);
		best = search(rows, count, ridge);
		worst += !(found >= best - 1e-6);
	}
	ok(!worst, "50 random sets: a search finds nothing more likely (%zu missed)", worst);
}

static void test_separable(void)
{
	struct logistic_row rows[16], same[2] = { { 1, true, 0 }, { 1, false, 1 } };
	struct logistic model;
	size_t i, wrong = 0;

	for (i = 0; i < 16; i++)
		rows[i] = (struct logistic_row){ (i < 8 ? 0.1 : 0.9) + 0.001 * i, i >= 8, i };
	ok(!logistic_fit(rows, 16, LOGISTIC_RIDGE, &model) && model.steps < 100 &&
	   isfinite(model.intercept) && isfinite(model.slope), "separable rows: the ridge ends it");
	for (i = 0; i < 16; i++)
		wrong += (logistic_chance(&model, rows[i].x) > 0.5) != rows[i].conflicting;
	ok(!wrong && logistic_boundary(&model) > 0.107 && logistic_boundary(&model) < 0.908,
	   "separable rows: parted (at %.3f)", logistic_boundary(&model));
	ok(!logistic_fit(rows, 16, 0, &model) && isfinite(model.slope),
	   "separable rows without a ridge: the limit of steps ends it (%u)", model.steps);
	ok(logistic_fit(rows, 8, LOGISTIC_RIDGE, &model) == -EINVAL, "one label: refused");
	ok(logistic_fit(same, 2, LOGISTIC_RIDGE, &model) == -EINVAL, "one x: refused");
	ok(logistic_fit(rows, 0, LOGISTIC_RIDGE, &model) == -EINVAL, "no rows: refused");
	rows[3].x = NAN;
	ok(logistic_fit(rows, 16, LOGISTIC_RIDGE, &model) == -EINVAL, "no number: refused");
}

/* Scaling x changes nothing but the slope, with a ridge too. */
static void test_scale(void)
{
	struct logistic_row rows[30];
	struct logistic one, other;
	size_t i;

	for (i = 0; i < 30; i++)
		rows[i] = (struct logistic_row){ i, i % 7 < 3 || i > 20, i };
	logistic_fit(rows, 30, LOGISTIC_RIDGE, &one);
	for (i = 0; i < 30; i++)
		rows[i].x *= 1000;
	logistic_fit(rows, 30, LOGISTIC_RIDGE, &other);
	ok(near(one.slope, 1000 * other.slope, 1e-6) && near(one.intercept, other.intercept, 1e-6),
	   "x in other units: the same model");
}

static void test_validation(void)
{
	struct logistic_row rows[24];
	struct logistic_score score;
	bool conflicting[24];
	size_t i, wrong = 0;
	uint32_t fold;

	for (i = 0; i < 24; i++)	/* twelve programs, two rows each */
		rows[i] = (struct logistic_row){ uniform() + 0.3 * (i / 2 % 2), i / 2 % 2,
						 100 - i / 2 };
	ok(!logistic_validate(rows, 24, 4, LOGISTIC_RIDGE, conflicting, &score), "validated");
	for (fold = 0; fold < 4; fold++) {
		struct logistic_row others[24];
		struct logistic model;
		size_t count = 0;

		for (i = 0; i < 24; i++)
			if (i / 2 % 4 != fold)
				others[count++] = rows[i];
		logistic_fit(others, count, LOGISTIC_RIDGE, &model);
		for (i = 0; i < 24; i++)
			if (i / 2 % 4 == fold)
				wrong += conflicting[i] != (logistic_chance(&model,
									    rows[i].x) > 0.5);
	}
	ok(!wrong, "each fold is judged by a model of the others, programs kept together");
	ok(score.true_positive + score.false_negative == 12 &&
	   score.false_positive + score.true_negative == 12, "each row is scored once");
	ok(logistic_validate(rows, 24, 1, LOGISTIC_RIDGE, NULL, &score) == -EINVAL,
	   "one fold: refused");
	/* All of one label but in one fold: those who learn without it know nothing. */
	for (i = 0; i < 24; i++)
		rows[i].conflicting = i < 2;
	logistic_validate(rows, 24, 12, LOGISTIC_RIDGE, conflicting, &score);
	ok(score.true_positive == 0 && score.false_negative == 2 && !conflicting[0],
	   "nothing to learn from: clean");
}

static void test_scores(void)
{
	struct logistic_score score = { 6, 2, 10, 3 }, none = { 0, 0, 5, 0 };

	ok(near(score_precision(&score), 0.75, 1e-12) &&
	   near(score_recall(&score), 2.0 / 3, 1e-12) &&
	   near(score_f1(&score), 2 * 0.75 * (2.0 / 3) / (0.75 + 2.0 / 3), 1e-12),
	   "precision, recall, and F1 as their harmonic mean");
	ok(isnan(score_precision(&none)) && isnan(score_recall(&none)) && isnan(score_f1(&none)),
	   "nobody conflicting or called so: no score");
}

int main(void)
{
	test_o_rings();
	test_students();
	test_closed_form();
	test_search();
	test_separable();
	test_scale();
	test_validation();
	test_scores();
	return done();
}
