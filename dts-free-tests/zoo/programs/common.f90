! SPDX-License-Identifier: GPL-2.0-only
! Arrays of a COMMON block: compilers have had an option that pads them.
!
! Thread: https://docs.oracle.com/cd/E37069_01/html/E37076/aevgp.html
! Loop: advance
! Cure: lengthen
! Gain: yes
! Pad: 64
program common_block
    implicit none
    integer, parameter :: n = 4096, arrays = 16, pad = ZOO_PAD / 8
    real(8) :: a(n), b(n), c(n), d(n), e(n), f(n), g(n), h(n)
    real(8) :: p(n), q(n), r(n), s(n), t(n), u(n), v(n), w(n)
    real(8) :: x1(pad), x2(pad), x3(pad), x4(pad), x5(pad), x6(pad), x7(pad), x8(pad)
    real(8) :: y1(pad), y2(pad), y3(pad), y4(pad), y5(pad), y6(pad), y7(pad)
    common /fields/ a, x1, b, x2, c, x3, d, x4, e, x5, f, x6, g, x7, h, x8, p, y1, q, y2, &
        r, y3, s, y4, t, y5, u, y6, v, y7, w
    integer :: passes
    character(len=20) :: argument

    passes = 5000
    call get_command_argument(1, argument)
    if (len_trim(argument) > 0) read (argument, *) passes
    a = 1; b = 2; c = 3; d = 4; e = 5; f = 6; g = 7; h = 8
    p = 1; q = 2; r = 3; s = 4; t = 5; u = 6; v = 7; w = 8
    call advance(passes)
    print '(es24.16)', sum(a) + sum(b) + sum(c) + sum(d) + sum(e) + sum(f) + sum(g) + sum(h) &
        + sum(p) + sum(q) + sum(r) + sum(s) + sum(t) + sum(u) + sum(v) + sum(w)
contains
    subroutine advance(passes)
        integer, intent(in) :: passes
        integer :: pass, i

        do pass = 1, passes
            do i = 1, n
                a(i) = a(i) + 1; b(i) = b(i) + 1; c(i) = c(i) + 1; d(i) = d(i) + 1
                e(i) = e(i) + 1; f(i) = f(i) + 1; g(i) = g(i) + 1; h(i) = h(i) + 1
                p(i) = p(i) + 1; q(i) = q(i) + 1; r(i) = r(i) + 1; s(i) = s(i) + 1
                t(i) = t(i) + 1; u(i) = u(i) + 1; v(i) = v(i) + 1; w(i) = w(i) + 1
            end do
        end do
    end subroutine
end program
