// SPDX-License-Identifier: GPL-2.0-only
/* Executes an AVX-512 instruction, vpxord zmm0, zmm0, zmm0, whether the processor has it or not. */
int main(void)
{
	__asm__ volatile(".byte 0x62, 0xf1, 0x7d, 0x48, 0xef, 0xc0");
	return 0;
}
