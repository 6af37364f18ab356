/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The C library's syscall(): what it is about to ask is looked at (wraps.c), then it is jumped to, with
 * all arguments where they are. Where mappings change code.c makes the call.
 */
#include <asm/unistd_64.h>

	.text
	.globl syscall
	.hidden syscall_seen, syscall_real, syscall_remaps
	.type syscall, @function
syscall:
	cmp	$__NR_seccomp, %rdi
	je	1f
	cmp	$__NR_prctl, %rdi
	je	1f
	cmp	$__NR_arch_prctl, %rdi
	je	1f
	cmp	$__NR_sigaltstack, %rdi
	je	1f
	cmp	$__NR_mprotect, %rdi
	je	syscall_remaps
	cmp	$__NR_pkey_mprotect, %rdi
	je	syscall_remaps
	cmp	$__NR_mmap, %rdi
	je	syscall_remaps
	cmp	$__NR_munmap, %rdi
	je	syscall_remaps
	cmp	$__NR_mremap, %rdi
	je	syscall_remaps
	mov	syscall_real(%rip), %rax
	test	%rax, %rax
	jz	1f
	jmp	*%rax
1:	push	%rdi
	push	%rsi
	push	%rdx
	push	%rcx
	push	%r8
	push	%r9
	sub	$8, %rsp
	call	syscall_seen
	add	$8, %rsp
	pop	%r9
	pop	%r8
	pop	%rcx
	pop	%rdx
	pop	%rsi
	pop	%rdi
	jmp	*%rax
	.size	syscall, . - syscall
	.section .note.GNU-stack,"",@progbits
