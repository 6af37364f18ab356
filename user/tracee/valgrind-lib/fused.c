// SPDX-License-Identifier: GPL-2.0-only
/*
 * Valgrind computes x * y + z with one rounding in software, at 10 ns and more an element: half of
 * the time of vectorised programs. A processor that has the instruction gives the same sums in one.
 * The linker's --wrap puts it in front of VEX's helpers (priv/host_generic_maddf.h).
 */
#include "libvex_basictypes.h"

void __real_h_generic_calc_MAddF32(Float *sum, Float *x, Float *y, Float *z);
void __wrap_h_generic_calc_MAddF32(Float *sum, Float *x, Float *y, Float *z);
void __real_h_generic_calc_MAddF64(Double *sum, Double *x, Double *y, Double *z);
void __wrap_h_generic_calc_MAddF64(Double *sum, Double *x, Double *y, Double *z);

__attribute__((target("fma"))) static void fused_32(Float *sum, Float x, Float y, Float z)
{
	*sum = __builtin_fmaf(x, y, z);
}

__attribute__((target("fma"))) static void fused_64(Double *sum, Double x, Double y, Double z)
{
	*sum = __builtin_fma(x, y, z);
}

void __wrap_h_generic_calc_MAddF32(Float *sum, Float *x, Float *y, Float *z)
{
	if (__builtin_cpu_supports("fma"))
		fused_32(sum, *x, *y, *z);
	else
		__real_h_generic_calc_MAddF32(sum, x, y, z);
}

void __wrap_h_generic_calc_MAddF64(Double *sum, Double *x, Double *y, Double *z)
{
	if (__builtin_cpu_supports("fma"))
		fused_64(sum, *x, *y, *z);
	else
		__real_h_generic_calc_MAddF64(sum, x, y, z);
}
