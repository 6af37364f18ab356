! SPDX-License-Identifier: GPL-2.0-only
! A rank-1 update along the rows of a column-major matrix: the leading dimension is a power of two.
!
! Thread: https://github.com/clMathLibraries/clBLAS/pull/133
! Loop: update
! Cure: rows
! Gain: yes
! Pad: 64
program leading
    implicit none
    integer, parameter :: n = 1024, m = 256, ld = n + ZOO_PAD / 8
    real(8), allocatable :: a(:, :)
    integer :: passes
    character(len=20) :: argument

    passes = 700
    call get_command_argument(1, argument)
    if (len_trim(argument) > 0) read (argument, *) passes
    allocate (a(ld, m))
    a = 1
    call update(passes)
    print '(es24.16)', sum(a(1:n, :))
contains
    subroutine update(passes)
        integer, intent(in) :: passes
        integer :: pass, i, j

        do pass = 1, passes
            do i = 1, n
                do j = 2, m
                    a(i, j) = 0.5d0 * (a(i, j) + a(i, j - 1))
                end do
            end do
        end do
    end subroutine
end program
