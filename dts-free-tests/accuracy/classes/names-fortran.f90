! SPDX-License-Identifier: GPL-2.0-only
! Class 8: several arrays of one statement. Each has rows of a page for columns to be read.
program names_fortran
	implicit none
	real(8), allocatable :: left(:,:), right(:,:), result(:,:)
	character(32) :: word
	integer :: ways, repeats, i

	if (command_argument_count() /= 3) stop 2
	call get_command_argument(2, word)
	read (word, *) ways
	call get_command_argument(3, word)
	read (word, *) repeats
	allocate (left(512, ways), right(512, ways), result(512, ways))
	left = 1
	right = 2
	result = 0
	do i = 1, repeats
		call multiply_rows(left, right, result, ways)
	end do
	print *, result(1, 1)
contains
	subroutine multiply_rows(a, b, c, n)
		real(8), intent(inout) :: a(512, n), b(512, n), c(512, n)
		integer, intent(in) :: n
		integer :: i, j

		do i = 1, 64, 8
			do j = 1, n
				c(i, j) = c(i, j) + a(i, j) * b(i, j)
			end do
		end do
	end subroutine multiply_rows
end program names_fortran
