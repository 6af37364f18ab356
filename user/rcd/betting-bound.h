/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a mean is at least, from few observations that are never negative.
 *
 * Student's t knows nothing of where values may lie, so of three it says hardly anything. Here
 * a gambler bets a part of what he has on each observation: on the claim that the mean is
 * m he gains nothing in expectation, whatever else is true, so that he is
 * 40 times as rich as he began in one of 40 cases at most (Markov's inequality). The bound is the
 * m that makes him so (Waudby-Smith and Ramdas, Estimating means of bounded
 * random variables by betting, JRSS B 86, 2024).
 */
#ifndef CCSAMPLE_RCD_BETTING_BOUND_H
#define CCSAMPLE_RCD_BETTING_BOUND_H

#include <stdint.h>

/**
 * betting_low() - a mean's lower end, of 97.5% confidence.
 * @value: observations, >= 0, independent
 * @size: what each counts in the mean, >= 0, some of them > 0
 *
 * Return: 0 .. 1.
 */
double betting_low(const double *value, const double *size, uint32_t count);

#endif /* CCSAMPLE_RCD_BETTING_BOUND_H */
