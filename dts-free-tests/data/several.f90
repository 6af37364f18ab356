! SPDX-License-Identifier: GPL-2.0-only
! Three arrays of one statement.
program several
  implicit none
  integer, parameter :: n = 32768
  real(8), allocatable :: first(:), second(:), third(:)
  real(8) :: total
  integer :: r
  allocate(first(n), second(n), third(n))
  first = 1.0d0
  second = 2.0d0
  third = 3.0d0
  total = 0
  do r = 1, 20
    total = total + sum(first) + sum(second) + sum(third)
  end do
  print *, total
end program several
