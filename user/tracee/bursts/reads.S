/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads that may fault; see safe.h. A fault from safe_begin to safe_end goes on at safe_fault. */
	.text
	.globl safe_copy, safe_equal, restorer
	.globl safe_begin, safe_end, safe_fault
	.hidden safe_copy, safe_equal, restorer
	.hidden safe_begin, safe_end, safe_fault

/* (to, from, size) */
	.type safe_copy, @function
safe_copy:
	mov	%rdx, %rcx
safe_begin:
	rep movsb
	mov	$1, %eax
	ret

/* (theirs, ours, size) */
	.type safe_equal, @function
safe_equal:
	xchg	%rdi, %rsi
	sub	$8, %rdx
	jb	2f
1:	mov	(%rsi), %rax
	cmp	(%rdi), %rax
	jne	4f
	add	$8, %rsi
	add	$8, %rdi
	sub	$8, %rdx
	jae	1b
2:	add	$8, %rdx
	jz	5f
3:	mov	(%rsi), %al
	cmp	(%rdi), %al
	jne	4f
	inc	%rsi
	inc	%rdi
	dec	%rdx
	jnz	3b
5:	mov	$1, %eax
	ret
4:
safe_end:
safe_fault:
	xor	%eax, %eax
	ret

/* What a signal handler returns to. */
	.type restorer, @function
restorer:
	mov	$15, %eax		/* rt_sigreturn */
	syscall
	.section .note.GNU-stack,"",@progbits
