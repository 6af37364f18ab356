// SPDX-License-Identifier: GPL-2.0-only
/* Every operator new and delete; sizes that test-processes looks for. */
#include <cstdlib>
#include <new>

struct alignas(128) wide {
	char text[6400];
	~wide() {}
};

struct narrow {
	char text[1001];
	~narrow() {}
};

/* Keeps the compiler from pairing new and delete away. */
template <class T> T *volatile hidden;

template <class T> void both(T *p)
{
	hidden<T> = p;
	delete hidden<T>;
}

template <class T> void both_arrays(T *p)
{
	hidden<T> = p;
	delete[] hidden<T>;
}

int main()
{
	both(new narrow);
	both_arrays(new narrow[7]);
	both(new wide);
	both_arrays(new wide[3]);
	both(new (std::nothrow) narrow);
	both(new (std::nothrow) wide);
	::operator delete(::operator new(7777), std::nothrow);
	::operator delete(::operator new(8888, std::align_val_t(256)), std::align_val_t(256));
	try {
		hidden<char> = static_cast<char *>(::operator new(1ul << 60));
	} catch (const std::bad_alloc &) {
	}
	hidden<char> = static_cast<char *>(std::malloc(9999));
	std::free(hidden<char>);
	return 0;
}
