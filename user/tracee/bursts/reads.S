/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * miss_enter, see miss.h. Reads that may fault; see safe.h. A fault from safe_begin to safe_end
 * goes on at safe_fault.
 */
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

/* (theirs, ours, size): ours may be read 7 bytes beyond */
	.type safe_equal, @function
safe_equal:
	sub	$16, %rdx
	jb	2f
1:	mov	(%rdi), %rax
	mov	8(%rdi), %rcx
	xor	(%rsi), %rax
	xor	8(%rsi), %rcx
	or	%rcx, %rax
	jnz	4f
	add	$16, %rdi
	add	$16, %rsi
	sub	$16, %rdx
	jae	1b
	mov	(%rdi,%rdx), %rax		/* the last 16, some of them again */
	mov	8(%rdi,%rdx), %rcx
	xor	(%rsi,%rdx), %rax
	xor	8(%rsi,%rdx), %rcx
	or	%rcx, %rax
	jnz	4f
	jmp	5f
2:	add	$16, %rdx
	jz	5f
	cmp	$8, %rdx
	jb	6f
	mov	(%rdi), %rax
	mov	-8(%rdi,%rdx), %rcx
	xor	(%rsi), %rax
	xor	-8(%rsi,%rdx), %rcx
	or	%rcx, %rax
	jnz	4f
	jmp	5f
6:	mov	%edi, %eax			/* 8 bytes of theirs lie in the page */
	and	$4095, %eax
	cmp	$4088, %eax
	ja	3f
	mov	(%rdi), %rax
	xor	(%rsi), %rax
	mov	$8, %ecx
	sub	%edx, %ecx
	shl	$3, %ecx
	shl	%cl, %rax
	jnz	4f
	jmp	5f
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

/* (stack): as seen by the kernel it is called on neither stack */
	.globl set_alternate_stack
	.hidden set_alternate_stack
	.type set_alternate_stack, @function
set_alternate_stack:
	mov	%rsp, %rdx
	lea	miss_go(%rip), %rsp
	xor	%esi, %esi
	mov	$131, %eax		/* sigaltstack */
	syscall
	mov	%rdx, %rsp
	ret

/*
 * A block is missing. All general registers go onto the own stack; the program's stack may have a
 * red zone, and is not touched.
 */
	.globl miss_enter
	.hidden miss_enter, burst_miss, variables
	.hidden miss_stack_top, miss_go
	.type miss_enter, @function
miss_enter:
	mov	variables(%rip), %rax
	mov	24(%rax), %rax			/* struct variables: rax */
	mov	%rsp, miss_go(%rip)		/* until it is pushed */
	mov	miss_stack_top(%rip), %rsp
	pushfq
	push	miss_go(%rip)
	push	%rax
	push	%rcx
	push	%rdx
	push	%rbx
	push	%rbp
	push	%rsi
	push	%rdi
	push	%r8
	push	%r9
	push	%r10
	push	%r11
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	cld
	mov	%rsp, %rbx
	and	$-16, %rsp
	call	burst_miss
	mov	%rbx, %rsp
	mov	%rax, miss_go(%rip)
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%r11
	pop	%r10
	pop	%r9
	pop	%r8
	pop	%rdi
	pop	%rsi
	pop	%rbp
	pop	%rbx
	pop	%rdx
	pop	%rcx
	pop	%rax
	pushq	8(%rsp)				/* the flags, below the program's rsp */
	popfq
	mov	(%rsp), %rsp
	jmp	*miss_go(%rip)

	.section .note.GNU-stack,"",@progbits
