// SPDX-License-Identifier: GPL-2.0-only
/*
 * x * y + z of random numbers, single and double: a hash of the sums, and how many are no numbers.
 * These are counted as one, for their bits depend on the form of the instruction.
 */
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define SUMS	1000000
#define SEED	88172645463325252u

static uint64_t state = SEED, hash, none;

/* xorshift64: Marsaglia, J. Stat. Softw. 8(14), 2003 */
static uint64_t chance(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	return state ^= state << 17;
}

/* Bits of a number with so many of exponent and fraction; mostly near 1, or of a special kind. */
static uint64_t bits(unsigned int exponent, unsigned int fraction)
{
	uint64_t sign = chance() & 1, high = (1ull << exponent) - 1, low = (1ull << fraction) - 1;
	uint64_t of_fraction = chance() & low, of_exponent = chance() & high;

	switch (chance() % 8) {
	case 0:
		of_exponent = 0;
		break;
	case 1:
		of_exponent = high;
		of_fraction = 0;
		break;
	case 2:
		of_exponent = of_fraction = 0;
		break;
	case 3:
		of_fraction &= low << (fraction - 4);
		__attribute__((fallthrough));
	case 4:
	case 5:
		of_exponent = high / 2 - 20 + chance() % 40;
	}
	return sign << (exponent + fraction) | of_exponent << fraction | of_fraction;
}

static double wide(void)
{
	uint64_t word = bits(11, 52);
	double number;

	memcpy(&number, &word, sizeof(number));
	return number;
}

static float narrow(void)
{
	uint32_t word = bits(8, 23);
	float number;

	memcpy(&number, &word, sizeof(number));
	return number;
}

static void note(uint64_t word, int is_number)
{
	none += !is_number;
	hash = hash * 6364136223846793005u + (is_number ? word : 1);
}

static void sum_wide(double x, double y, double z)
{
	double sum = _mm_cvtsd_f64(_mm_fmadd_sd(_mm_set_sd(x), _mm_set_sd(y), _mm_set_sd(z)));
	uint64_t word;

	memcpy(&word, &sum, sizeof(word));
	note(word, sum == sum);
}

static void sum_narrow(float x, float y, float z)
{
	float sum = _mm_cvtss_f32(_mm_fmadd_ss(_mm_set_ss(x), _mm_set_ss(y), _mm_set_ss(z)));
	uint32_t word;

	memcpy(&word, &sum, sizeof(word));
	note(word, sum == sum);
}

int main(void)
{
	for (int i = 0; i < SUMS; i++) {
		double x = wide(), y = wide();
		float a = narrow(), b = narrow();

		sum_wide(x, y, i % 3 ? wide() : -(x * y));
		sum_narrow(a, b, i % 3 ? narrow() : -(a * b));
	}
	printf("%llx %llu\n", (unsigned long long)hash, (unsigned long long)none);
	return 0;
}
