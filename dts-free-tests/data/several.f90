! SPDX-License-Identifier: GPL-2.0-only
! Three arrays of one statement, which goes on in a second line.
program several
  implicit none
  integer, parameter :: n = 32768
  type :: more
    real(8), allocatable :: third(:)
  end type
  type(more) :: parts
  real(8), allocatable :: first(:), second(:)
  real(8) :: total
  integer :: r
  allocate(first(n), & ! and on the next line
           second(n), parts%third(n))
  first = 1.0d0
  second = 2.0d0
  parts%third = 3.0d0
  total = 0
  do r = 1, 20
    total = total + sum(first) + sum(second) + sum(parts%third)
  end do
  print *, total
end program several
