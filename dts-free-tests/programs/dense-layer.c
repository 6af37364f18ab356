// SPDX-License-Identifier: GPL-2.0-only
/*
 * dense-layer: 1024 outputs of a dense layer with -n inputs (64); the weights
 * of an output lie a row of 1024 floats apart.
 *
 * Shape: tiny-dnn's fully connected layer.
 * Conflict: a row is 4096 bytes, so the weights of an output meet in one set.
 * With 64 inputs a fully associative cache would keep their 64 lines for the
 * next fifteen outputs: conflict. With -n 1024 it could not: the misses sit in
 * one set at a time, but are capacity misses. Heap block `weights`, on the line
 * of `sum +=`.
 * Pad: bytes a row. 64 give each input the next set. -i: input by input.
 * Verdict: conflict, none with -p 64; concentrated with -n 1024, none with
 * -n 1024 -p 64.
 */
#include "kernel.h"

#define OUTPUTS		1024
#define MAX_INPUTS	4096

static float inputs[MAX_INPUTS], outputs[OUTPUTS];

static __attribute__((noinline)) void forward(const float *weights, size_t row, size_t n)
{
	for (size_t o = 0; o < OUTPUTS; o++) {
		float sum = 0;

		for (size_t i = 0; i < n; i++)
			sum += weights[i * row + o] * inputs[i];
		outputs[o] += sum;
	}
}

/* Input by input: all of a row of weights before the next. */
static __attribute__((noinline)) void forward_interchanged(const float *weights, size_t row,
							   size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t o = 0; o < OUTPUTS; o++)
			outputs[o] += weights[i * row + o] * inputs[i];
}

int main(int argc, char **argv)
{
	struct kernel_run run = { 0, 360, 64, 0 };
	size_t row;
	float *weights;
	double sum = 0;

	kernel_parse(argc, argv, &run, sizeof(float), MAX_INPUTS);
	row = OUTPUTS + run.pad / sizeof(float);
	weights = kernel_require(malloc(run.size * row * sizeof(float)));
	for (size_t i = 0; i < run.size; i++) {
		inputs[i] = kernel_value(i);
		for (size_t o = 0; o < OUTPUTS; o++)
			weights[i * row + o] = kernel_value(i * OUTPUTS + o);
	}
	for (unsigned long r = 0; r < run.repeats; r++)
		(run.interchange ? forward_interchanged : forward)(weights, row, run.size);
	for (size_t o = 0; o < OUTPUTS; o++)
		sum += outputs[o] * kernel_value(o);
	kernel_checksum(sum);
	free(weights);
	return 0;
}
