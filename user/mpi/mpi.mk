# SPDX-License-Identifier: GPL-2.0-only
# The library that adds up recordings by many processes, with whatever MPI's compiler wrapper there is.

MPICC	?= mpicc
MPI_DIR	= $(BUILD)/mpi
MPI_LIB	= $(MPI_DIR)/libccsample-mpi.so

## make mpi         the library by which many processes read recordings, into build/mpi (needs mpicc)
.PHONY: mpi mpi-install
mpi: $(MPI_LIB)

$(MPI_LIB): user/mpi/plugin.c user/mpi/plugin.h $(BUILD)/flags
	@mkdir -p $(@D)
	@command -v $(MPICC) >/dev/null || \
		{ echo 'ccsample: $(MPICC) is missing: install an MPI (Debian: libopenmpi-dev openmpi-bin)' >&2; exit 1; }
	$(SAY) LD $@
	$(Q)OMPI_CC='$(CC)' MPICH_CC='$(CC)' $(MPICC) $(CPPFLAGS) $(CFLAGS) $(WARN) -std=gnu11 -Iuser -fPIC -shared \
		$(LDFLAGS) -o $@ $<

## make mpi-install  that library into PREFIX
mpi-install: mpi
	install -D -m 644 $(MPI_LIB) $(DESTDIR)$(libexecdir)/ccsample/libccsample-mpi.so
