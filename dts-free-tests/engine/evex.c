// SPDX-License-Identifier: GPL-2.0-only
/* An instruction of AVX-512, which Valgrind cannot run. */
int main(void)
{
	__asm__ volatile(".byte 0x62, 0xf1, 0x7d, 0x48, 0xef, 0xc0");	/* vpxord zmm0, zmm0, zmm0
									 */
	return 0;
}
