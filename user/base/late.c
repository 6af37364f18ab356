// SPDX-License-Identifier: GPL-2.0-only
#include <dlfcn.h>
#include <string.h>

#include "base/fail.h"
#include "base/late.h"

int late_load(const char *file, const char *package, const struct late_function *functions,
	      void *to)
{
	void *library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);

	if (!library)
		return fail("%s is needed: install %s (%s)", file, package, dlerror());
	for (; functions->name; functions++) {
		void *function = dlsym(library, functions->name);

		if (!function)
			return fail("%s has no %s: it is too old", file, functions->name);
		memcpy((char *)to + functions->at, &function, sizeof(function));
	}
	return 0;
}
