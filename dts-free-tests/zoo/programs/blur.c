// SPDX-License-Identifier: GPL-2.0-only
/*
 * A filter down the columns of an image whose rows are a power of two.
 *
 * Thread: https://stackoverflow.com/questions/12264970
 * Loop: blur
 * Cure: rows
 * Gain: yes
 * Pad: 64
 */
#include "zoo.h"

#define SIDE	2048
#define TAPS	24
#define PITCH	(SIDE + PAD / sizeof(float))

/* Strips of a line, as filters by columns are written; all taps of a column are 8 KiB apart. */
static void blur(float *image, int passes)
{
	while (passes-- > 0)
		for (size_t x = 0; x < SIDE; x++)
			for (size_t y = 0; y + TAPS <= 512; y += TAPS) {
				float sum = 0;

				for (size_t t = 0; t < TAPS; t++)
					sum += image[(y + t) * PITCH + x];
				for (size_t t = 0; t < TAPS; t++)
					image[(y + t) * PITCH + x] = sum / TAPS;
			}
}

int main(int argc, char **argv)
{
	float *image = malloc(512 * PITCH * sizeof(float));
	double sum = 0;
	size_t i;

	for (i = 0; i < 512 * SIDE; i++)
		image[i / SIDE * PITCH + i % SIDE] = i % 17;
	blur(image, zoo_passes(argc, argv, 120));
	for (i = 0; i < 512 * SIDE; i++)
		sum += image[i / SIDE * PITCH + i % SIDE];
	printf("%.17g\n", sum);
	return 0;
}
