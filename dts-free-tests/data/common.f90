! SPDX-License-Identifier: GPL-2.0-only
! An allocatable array, and two in a common block.
program hydro
  implicit none
  integer, parameter :: rows = 512, columns = 64
  real(8), allocatable :: grid(:,:)
  real(8) :: first(rows, columns), second(rows, columns), total
  common /shared/ first, second
  integer :: i, j, r
  allocate(grid(rows, columns))
  grid = 1.0d0
  first = 2.0d0
  second = 3.0d0
  total = 0
  do r = 1, 40
    do i = 1, rows
      do j = 1, columns
        total = total + grid(i, j) + first(i, j) + second(i, j)
      end do
    end do
  end do
  print *, total
end program
