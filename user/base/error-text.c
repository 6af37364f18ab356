// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>

#include "base/error-text.h"

const char *error_text(int error)
{
	if (error == EMFILE)
		return "ccsample may open no more files: raise ulimit -n (20 are enough)";
	return strerror(error);
}
