// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every kind of reference, on few lines: all sizes, over line ends, atomic,
 * string, masked, x87 and whole-state ones. For test-lru; prints a checksum.
 */
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint8_t area[1 << 16] __attribute__((aligned(4096)));

static uint32_t state = 12345;

static uint32_t random_offset(uint32_t below)
{
	state = state * 1664525 + 1013904223;
	return (state >> 8) % below;
}

static uint64_t sizes(uint64_t sum)
{
	uint8_t *p = area + random_offset(sizeof(area) - 64);

	sum += *p;
	*(volatile uint16_t *)p = sum;
	sum += *(volatile uint32_t *)(p + 3);
	*(volatile uint64_t *)(p + 5) += sum;
	_mm_storeu_si128((__m128i *)(p + 20), _mm_loadu_si128((__m128i *)(p + 1)));
	return sum;
}

__attribute__((target("avx2"))) static uint64_t wide(uint64_t sum)
{
	uint8_t *p = area + random_offset(sizeof(area) - 512);
	__m256i mask = _mm256_set_epi32(-1, 0, -1, 0, 0, -1, (int)sum << 31, -1);
	__m256i v = _mm256_loadu_si256((__m256i *)(p + 7));

	v = _mm256_add_epi32(v, _mm256_maskload_epi32((int *)(p + 30), mask));
	_mm256_storeu_si256((__m256i *)(p + 41), v);
	_mm256_maskstore_epi32((int *)(p + 90), mask, v);
	v = _mm256_i32gather_epi32((int *)p, _mm256_set_epi32(1, 5, 20, 33, 60, 61, 62, 100), 4);
	return sum + _mm256_extract_epi32(v, 3);
}

static uint64_t atomic(uint64_t sum)
{
	uint64_t *p = (uint64_t *)(area + random_offset(sizeof(area) - 64) / 16 * 16);
	uint64_t expected = sum;

	__atomic_fetch_add(p, sum, __ATOMIC_SEQ_CST);
	__atomic_compare_exchange_n(p + 1, &expected, sum, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	__asm__ volatile("lock cmpxchg16b %0" : "+m"(*(__int128 *)p)
			 : "a"(sum), "d"(0ul), "b"(sum), "c"(1ul) : "memory", "cc");
	__asm__ volatile("xchg %0, %1" : "+r"(sum), "+m"(p[1]));
	return sum;
}

static void strings(void)
{
	uint8_t *d = area + random_offset(sizeof(area) / 2), *s = area + sizeof(area) / 2;
	unsigned long n = random_offset(300);

	s += random_offset(sizeof(area) / 4);
	__asm__ volatile("rep movsb" : "+D"(d), "+S"(s), "+c"(n) : : "memory");
	n = random_offset(30);
	__asm__ volatile("rep stosq" : "+D"(d), "+c"(n) : "a"(7ul) : "memory");
}

static void states(void)
{
	uint8_t *p = area + random_offset(sizeof(area) - 4096) / 64 * 64;
	long double x = 1.25L;

	__asm__ volatile("fxsave64 %0" : "=m"(*(uint8_t (*)[512])p));
	__asm__ volatile("fxrstor64 %0" : : "m"(*(uint8_t (*)[512])p));
	*(volatile long double *)(p + 600) = x;
	x += *(volatile long double *)(p + 600);
	__asm__ volatile("fnstenv %0; fldenv %0" : "+m"(*(uint8_t (*)[28])(p + 700)));
	__asm__ volatile("fnstcw %0; fldcw %0" : "+m"(*(uint16_t *)(p + 800)));
}

int main(void)
{
	uint64_t sum = 1;
	int i, avx2 = __builtin_cpu_supports("avx2");

	for (i = 0; i < 2000; i++) {
		sum = sizes(sum);
		sum = atomic(sum);
		if (avx2)
			sum = wide(sum);
		if (i % 16 == 0) {
			strings();
			states();
		}
	}
	for (i = 0; i < 1 << 16; i += 64)
		sum += area[(i * 5 + (i >> 9)) & 0xffff];
	printf("%lu\n", (unsigned long)sum);
	return 0;
}
