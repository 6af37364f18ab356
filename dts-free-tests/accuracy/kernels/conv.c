// SPDX-License-Identifier: GPL-2.0-only
/*
 * A convolution layer, channels innermost: for each pixel three by three weights
 * of 64 channels, each a plane of -n by -n floats: 64 lines in few sets where a
 * plane is a multiple of 4096 bytes. -p: each plane longer.
 */
#include "kernel.h"

#define CHANNELS	64

static void convolve(float *restrict out, const float *in, const float *weights, size_t n,
		     size_t plane)
{
	for (size_t i = 0; i + 3 <= n; i++)
		for (size_t j = 0; j + 3 <= n; j++) {
			float sum = 0;

			for (size_t k = 0; k < 9; k++)
				for (size_t c = 0; c < CHANNELS; c++)
					sum += weights[k * CHANNELS + c] *
					       in[c * plane + (i + k / 3) * n + j + k % 3];
			out[i * n + j] = sum;
		}
}

int main(int argc, char **argv)
{
	struct kernel_run run = kernel_options(argc, argv, 12, sizeof(float), 32, 256);
	size_t n = run.size, plane = n * n + run.pad / sizeof(float);
	float *in = kernel_require(calloc(CHANNELS * plane, sizeof(float)));
	float *out = kernel_require(calloc(n * n, sizeof(float))), weights[9 * CHANNELS];
	double sum = 0;

	for (size_t c = 0; c < CHANNELS; c++)
		for (size_t i = 0; i < n * n; i++)
			in[c * plane + i] = kernel_value(c * n * n + i);
	for (size_t i = 0; i < 9 * CHANNELS; i++)
		weights[i] = kernel_value(i) / 8.0f;
	for (unsigned long r = 0; r < run.repeats; r++) {
		convolve(out, in, weights, n, plane);
		kernel_changed(out);
	}
	for (size_t i = 0; i < n * n; i++)
		sum += out[i];
	kernel_checksum(sum);
	free(out);
	free(in);
	return 0;
}
