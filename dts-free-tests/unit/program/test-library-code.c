// SPDX-License-Identifier: GPL-2.0-only
#include "program/library-code.h"
#include "tap.h"

int main(void)
{
	static const char *const library[] = {
		"/usr/include/eigen3/Eigen/src/Core/Assign.h", "/opt/gcc/include/c++/12/vector",
		"/home/u/app/third_party/json/json.hpp", "third_party/json/json.hpp",
		"build/_deps/fmt-src/include/fmt/core.h", "/home/u/Eigen/Dense", "src/vendor/boost/any.hpp",
		"/lib/x86_64-linux-gnu/libblas.so.3", "/home/u/venv/lib/python3.11/site-packages/a/b.so",
	};
	static const char *const own[] = {
		"/home/u/app/grid.cpp", "/home/u/vendor/app/main.c", "/home/u/app/include/grid.h", "grid.h",
		"vendored/grid.h", "/home/u/Eigensolver/grid.h", "main.c",
	};

	for (size_t i = 0; i < sizeof(library) / sizeof(*library); i++)
		ok(library_source(library[i]), "%s is a library's", library[i]);
	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		ok(!library_source(own[i]), "%s is not", own[i]);
	ok(!library_source(NULL), "nor what is unknown");
	return done();
}
