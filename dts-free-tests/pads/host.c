// SPDX-License-Identifier: GPL-2.0-only
/* A C program that loads a C++ plugin for itself alone, and calls it. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	void *plugin = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
	int (*check)(void) = plugin ? (int (*)(void))dlsym(plugin, "check_operators") : NULL;

	if (!check) {
		puts(argc > 1 ? dlerror() : "no plugin");
		return 9;
	}
	return check();
}
