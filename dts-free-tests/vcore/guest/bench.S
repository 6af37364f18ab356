/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A whole guest in 64 KiB of ROM for counting the emulator's own instructions:
 * real mode, loads, stores, calls, string moves, interrupts, port I/O, CPUID, RDMSR; ends by
 * a triple fault (-no-reboot). No firmware, so that every run is the same.
 */
	.code16
	.section .text
	.globl _start
_start:
	xor	%ax, %ax
	mov	%ax, %ds
	mov	%ax, %es
	mov	%ax, %ss
	mov	$0x7000, %sp
	movw	$handler, 4 * 0x20	/* interrupt 0x20 */
	movw	$0xf000, 4 * 0x20 + 2
	mov	$ROUNDS, %edi
round:
	push	%di
	mov	$0x1000, %si
	mov	$0x3000, %di
	mov	$64, %cx
	cld
	rep	movsw
	mov	$64, %cx
inner:
	mov	%cx, %bx
	shl	$5, %bx
	mov	0x1000(%bx), %eax
	add	%ecx, %eax
	mov	%eax, 0x3000(%bx)
	lock addl $1, 0x5000
	call	leaf
	loop	inner
	int	$0x20
	in	$0x80, %al
	xor	%eax, %eax
	cpuid
	mov	$0x10, %ecx
	rdtsc
	pop	%di
	dec	%di
	jnz	round
	lidtl	%cs:nothing
	int3
leaf:
	push	%ax
	pop	%ax
	ret
handler:
	iret
nothing:
	.word	0, 0, 0
	.org	0xfff0
	ljmp	$0xf000, $_start
	.org	0xffff
	.byte	0
