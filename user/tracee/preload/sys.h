/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * System calls that leave errno alone and are no cancellation points, which
 * those of the C library are: a program's malloc() must not become one.
 */
#ifndef CCSAMPLE_TRACEE_PRELOAD_SYS_H
#define CCSAMPLE_TRACEE_PRELOAD_SYS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>

/* Return: what the kernel returns, -4095 .. -1 for an error. */
static inline long sys(long number, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "0"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

static inline bool sys_failed(long result)
{
	return (unsigned long)result > -4096ul;
}

#define sys0(name)		sys(SYS_##name, 0, 0, 0, 0, 0, 0)
#define sys1(name, a)		sys(SYS_##name, (long)(a), 0, 0, 0, 0, 0)
#define sys2(name, a, b)	sys(SYS_##name, (long)(a), (long)(b), 0, 0, 0, 0)
#define sys3(name, a, b, c)	sys(SYS_##name, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define sys4(name, a, b, c, d)	\
	sys(SYS_##name, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)
#define sys5(name, a, b, c, d, e)	\
	sys(SYS_##name, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), 0)
#define sys6(name, a, b, c, d, e, f)	\
	sys(SYS_##name, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

/* CPU time of the running thread. */
static inline uint64_t current_cpu_ns(void)
{
	struct timespec t = { 0 };

	sys2(clock_gettime, CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

/* For madvise(), from Linux 5.14 on: in one call what would be a fault for each page. */
#define POPULATE_READ	22		/* MADV_POPULATE_READ */
#define POPULATE_WRITE	23		/* MADV_POPULATE_WRITE */

#endif /* CCSAMPLE_TRACEE_PRELOAD_SYS_H */
