/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What runs between sequences: chain_load loads all registers and goes to a sequence, which jumps
 * to chain_save, which stores them and goes on with the next. It is copied before the
 * sequences, and its variables are at a fixed distance. It is traced as they are, so the flags are
 * made without popf, which is not. See chain.h.
 */
#include "chain-layout.h"

	.text
	.globl chain_load, chain_save, chain_next, chain_end
	.globl chain_enter, chain_leave, chain_trap, chain_rsp
	.hidden chain_load, chain_save, chain_next, chain_end
	.hidden chain_enter, chain_leave, chain_trap, chain_rsp

	.balign 64
chain_load:
load:
	.set variables, load + CODE + GUARD
	mov	variables + V_BEGIN(%rip), %rdi
	mov	variables + V_MASK(%rip), %eax
	xor	%edx, %edx
	xrstor64 S_VECTOR(%rdi)
	mov	S_RIP(%rdi), %rax
	mov	%rax, variables + V_TARGET(%rip)
	cmpb	$0, S_DOWN(%rdi)
	je	1f
	std
1:	movzwl	S_LOAD(%rdi), %eax
	add	$1, %al
	sahf
	mov	0(%rdi), %r8
	mov	8(%rdi), %r9
	mov	16(%rdi), %r10
	mov	24(%rdi), %r11
	mov	32(%rdi), %r12
	mov	40(%rdi), %r13
	mov	48(%rdi), %r14
	mov	56(%rdi), %r15
	mov	72(%rdi), %rsi
	mov	80(%rdi), %rbp
	mov	88(%rdi), %rbx
	mov	96(%rdi), %rdx
	mov	104(%rdi), %rax
	mov	112(%rdi), %rcx
	mov	S_RSP(%rdi), %rsp
	mov	S_RDI(%rdi), %rdi
	jmp	*variables + V_TARGET(%rip)

chain_save:
	mov	%rdi, variables + V_RDI(%rip)
	mov	variables + V_END(%rip), %rdi
	mov	%r8, 0(%rdi)
	mov	%r9, 8(%rdi)
	mov	%r10, 16(%rdi)
	mov	%r11, 24(%rdi)
	mov	%r12, 32(%rdi)
	mov	%r13, 40(%rdi)
	mov	%r14, 48(%rdi)
	mov	%r15, 56(%rdi)
	mov	%rsi, 72(%rdi)
	mov	%rbp, 80(%rdi)
	mov	%rbx, 88(%rdi)
	mov	%rdx, 96(%rdi)
	mov	%rax, 104(%rdi)
	mov	%rcx, 112(%rdi)
	mov	%rsp, S_RSP(%rdi)
	mov	variables + V_RDI(%rip), %rax
	mov	%rax, S_RDI(%rdi)
	lea	variables + VARIABLES(%rip), %rsp
	pushfq
	popq	S_FLAGS(%rdi)
	cld
	movl	$0, S_SIGNAL(%rdi)
	mov	variables + V_MASK(%rip), %eax
	xor	%edx, %edx
	xsave64	S_VECTOR(%rdi)
chain_next:
	cld
	addq	$STATE, variables + V_BEGIN(%rip)
	addq	$STATE, variables + V_END(%rip)
	decl	variables + V_LEFT(%rip)
	jne	load
	jmp	*variables + V_OUT(%rip)
chain_end:

/* (where to go, mask of XSAVE): C's registers are kept until chain_leave. */
	.type chain_enter, @function
chain_enter:
	push	%rbx
	push	%rbp
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	mov	%rsp, chain_rsp(%rip)
	mov	%esi, mask(%rip)
	mov	%esi, %eax
	xor	%edx, %edx
	xsave64	home(%rip)
	/* Code was written at another address: an iret serializes (SDM volume 3, 8.1.3 and 8.3). */
	mov	%ss, %ecx
	push	%rcx
	lea	8(%rsp), %rax
	push	%rax
	pushfq
	mov	%cs, %ecx
	push	%rcx
	push	%rdi
	iretq

	.type chain_leave, @function
chain_leave:
	mov	chain_rsp(%rip), %rsp
	mov	mask(%rip), %eax
	xor	%edx, %edx
	xrstor64 home(%rip)
	cld
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbp
	pop	%rbx
	ret

/* Faults: the handler goes on. */
	.type chain_trap, @function
chain_trap:
	mov	0, %eax

	.bss
	.balign 64
home:	.skip	16384
chain_rsp: .skip 8
mask:	.skip	4

	.section .note.GNU-stack,"",@progbits
