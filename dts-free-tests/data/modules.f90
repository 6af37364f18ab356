! SPDX-License-Identifier: GPL-2.0-only
! Allocatable arrays of a module: one is allocated in it, one by who uses it. Another module has a variable of a name
! that a local one has, too.
module store
  real(8), allocatable :: inside(:,:), outside(:,:)
contains
  subroutine make(rows, columns)
    integer, intent(in) :: rows, columns
    allocate(inside(rows, columns))
    inside = 1.0d0
  end subroutine
end module
module other
  integer :: local
end module
program modules
  use store
  implicit none
  integer, parameter :: rows = 512, columns = 64
  real(4), allocatable :: local(:,:)
  real(8) :: total
  integer :: i, j, r
  call make(rows, columns)
  allocate(outside(rows, columns))
  allocate(local(rows, columns))
  outside = 2.0d0
  local = 3.0
  total = 0
  do r = 1, 40
    do i = 1, rows
      do j = 1, columns
        total = total + inside(i, j) + outside(i, j) + local(i, j)
      end do
    end do
  end do
  print *, total
end program
