# SPDX-License-Identifier: GPL-2.0-only
"""programs.py SEED COUNT DIRECTORY: writes COUNT C programs of random shapes, DIRECTORY/NN.c, and
DIRECTORY/list: a line for each of them with its number, the shape, the function with the stride,
options of the compiler, and two values of STRIDE (bytes), clean and a power of two.

A program has one kernel whose data lie STRIDE bytes apart, among two to five other functions. Pairs
differ in STRIDE alone. In an L1D of 32K with 8 ways and 64 sets the power of two makes lines that
are used again meet in few sets; otherwise they fit."""
import random
import sys

TYPES = {"double": 8, "float": 4, "int": 4, "long": 8}
NAMES = """update visit relax gather_all settle balance advance project accumulate fold refresh
resolve propagate sweep_all evaluate drain smooth collect assemble trace_back""".split()


class Shape:
    """What a kernel needs: C at file level, in setup(), and the body of the function."""

    def __init__(self, power, clean, globals_, setup, body):
        self.power, self.clean = power, clean
        self.globals, self.setup, self.body = globals_, setup, body


def strides(rng, powers):
    power = rng.choice(powers)
    return power, power + 64 * rng.choice([1, 3, 5])


def column(rng, name):
    kind = rng.choice(list(TYPES))
    power, clean = strides(rng, [1024, 2048, 4096, 8192])
    rows, columns, passes = rng.randint(100, 300), rng.choice([32, 48, 64]), rng.randint(3, 12)
    return Shape(power, clean, f"static char *table;\n#define AT(i, j) ((({kind} *)(table + (size_t)(i) * STRIDE))[j])",
                 f"table = calloc({rows}, STRIDE);", f"""
	{kind} sum = 0;
	for (int pass = 0; pass < {passes}; pass++)
		for (int j = 0; j < {columns}; j++)
			for (int i = 0; i < {rows}; i++)
				sum += AT(i, j) + pass;
	return (long)sum;""")


def planes(rng, name):
    power, clean = strides(rng, [4096, 8192, 16384])
    depth, width, passes = rng.randint(24, 90), rng.randint(40, 120), rng.randint(20, 60)
    return Shape(power, clean, f"static char cube[{depth} * STRIDE] __attribute__((aligned(64)));", "", f"""
	long sum = 0;
	for (int pass = 0; pass < {passes}; pass++)
		for (int x = 0; x < {width}; x++)
			for (int z = 1; z < {depth}; z++) {{
				int *here = (int *)(cube + z * STRIDE) + x;
				*here += *(int *)((char *)here - STRIDE) + 1;
				sum += *here;
			}}
	return sum;""")


def lockstep(rng, name):
    power, clean = strides(rng, [4096, 8192, 16384])
    count, length, passes = rng.randint(11, 24), rng.choice([256, 400, 512]), rng.randint(20, 60)
    terms = " + ".join(f"((double *)(pool + {k} * STRIDE))[i]" for k in range(count))
    return Shape(power, clean, "static char *pool;", f"pool = aligned_alloc(4096, {count} * STRIDE / 4096 * 4096 + 4096);\n"
                 f"	memset(pool, 0, {count} * STRIDE);", f"""
	double sum = 0;
	for (int pass = 0; pass < {passes}; pass++)
		for (int i = 0; i < {length}; i++)
			sum += {terms};
	return (long)sum;""")


def records(rng, name):
    power, clean = strides(rng, [512, 1024, 2048, 4096])
    count, looks = rng.randint(120, 400), rng.randint(30000, 90000)
    return Shape(power, clean, f"""struct record {{ long key, value; char text[STRIDE - 16]; }};
static struct record records[{count}] __attribute__((aligned(64)));""",
                 f"for (int i = 0; i < {count}; i++)\n\t\trecords[i].key = i;", f"""
	long sum = 0;
	unsigned int at = 1;
	for (int look = 0; look < {looks}; look++) {{
		at = at * 1664525 + 1013904223;
		sum += records[(at >> 8) % {count}].key;
	}}
	return sum;""")


def nodes(rng, name):
    power, clean = strides(rng, [1024, 2048, 4096])
    count, steps = rng.randint(120, 380), rng.randint(40000, 120000)
    return Shape(power, clean, "struct node { struct node *next; long value; };\nstatic struct node *first;", f"""char *all = calloc({count} + 1, STRIDE);
	int order[{count}];
	for (int i = 0; i < {count}; i++)
		order[i] = i;
	for (int i = {count} - 1; i > 0; i--) {{
		int j = (int)(next_random() % (i + 1)), keep = order[i];
		order[i] = order[j];
		order[j] = keep;
	}}
	for (int i = 0; i < {count}; i++)
		((struct node *)(all + (size_t)order[i] * STRIDE))->next =
			(struct node *)(all + (size_t)order[(i + 1) % {count}] * STRIDE);
	first = (struct node *)all;""", f"""
	long sum = 0;
	struct node *node = first;
	for (int step = 0; step < {steps}; step++) {{
		sum += node->value++;
		node = node->next;
	}}
	return sum;""")


def buckets(rng, name):
    power, clean = strides(rng, [512, 1024, 2048])
    count, adds = 2 ** rng.randint(7, 8), rng.randint(40000, 90000)
    return Shape(power, clean, f"static unsigned char bucket[{count}][STRIDE] __attribute__((aligned(64)));", "", f"""
	unsigned int key = 7;
	long most = 0;
	for (int add = 0; add < {adds}; add++) {{
		key = key * 22695477 + 1;
		unsigned int *count = (unsigned int *)bucket[(key >> 12) & {count - 1}];
		if (++*count > most)
			most = *count;
	}}
	return most;""")


def product(rng, name):
    power, clean = strides(rng, [1024, 2048, 4096])
    size, middle = rng.randint(40, 64), rng.randint(90, 128)
    return Shape(power, clean, f"""static double left[{size}][{middle}], out[{size}][{size}];
static char right[{middle} * STRIDE] __attribute__((aligned(64)));""", "", f"""
	for (int i = 0; i < {size}; i++)
		for (int j = 0; j < {size}; j++) {{
			double sum = 0;
			for (int k = 0; k < {middle}; k++)
				sum += left[i][k] * ((double *)(right + k * STRIDE))[j];
			out[i][j] += sum;
		}}
	return (long)out[1][2];""")


def transposed(rng, name):
    power, clean = strides(rng, [1024, 2048, 4096])
    size, passes = rng.choice([96, 112, 120]), rng.randint(6, 16)
    return Shape(power, clean, f"static char from[{size} * STRIDE] __attribute__((aligned(64)));\nstatic float to[{size}][{size}];", "", f"""
	for (int pass = 0; pass < {passes}; pass++)
		for (int i = 0; i < {size}; i++)
			for (int j = 0; j < {size}; j++)
				to[i][j] = ((float *)(from + j * STRIDE))[i] + pass;
	return (long)to[3][4];""")


def butterflies(rng, name):
    power, clean = strides(rng, [2048, 4096, 8192])
    columns, passes = rng.randint(16, 40), rng.randint(2, 5)
    return Shape(power, clean, "static char *waves;", "waves = calloc(128, STRIDE);", f"""
	for (int pass = 0; pass < {passes}; pass++)
		for (int c = 0; c < {columns}; c++)
			for (int half = 1; half < 128; half *= 2)
				for (int i = 0; i < 128; i++)
					if (!(i & half)) {{
						double *a = (double *)(waves + (size_t)i * STRIDE) + c;
						double *b = (double *)(waves + (size_t)(i + half) * STRIDE) + c;
						double t = *a - *b;
						*a += *b + 1;
						*b = t;
					}}
	return (long)*(double *)waves;""")


def rings(rng, name):
    power, clean = strides(rng, [4096, 8192])
    count, rounds = rng.randint(14, 40), rng.randint(2000, 5000)
    return Shape(power, clean, f"""struct ring {{ unsigned int head; char slots[STRIDE - 4]; }};
static struct ring rings[{count}] __attribute__((aligned(64)));""", "", f"""
	long sum = 0;
	for (int round = 0; round < {rounds}; round++)
		for (int r = 0; r < {count}; r++) {{
			unsigned int at = rings[r].head++ % 48;
			sum += rings[r].slots[at]++;
		}}
	return sum;""")


def tiles(rng, name):
    power, clean = strides(rng, [2048, 4096, 8192])
    rows, tiles_, passes = rng.randint(20, 40), rng.randint(3, 6), rng.randint(10, 30)
    return Shape(power, clean, f"static char image[{rows} * STRIDE] __attribute__((aligned(64)));", "", f"""
	long sum = 0;
	for (int pass = 0; pass < {passes}; pass++)
		for (int tile = 0; tile < {tiles_}; tile++)
			for (int x = 0; x < 96; x++)
				for (int y = 0; y < {rows}; y++)
					sum += image[y * STRIDE + tile * 128 + x]++;
	return sum;""")


def stencil(rng, name):
    power, clean = strides(rng, [4096, 8192])
    points, rows, columns = rng.randint(12, 26), rng.randint(6, 16), rng.randint(200, 400)
    return Shape(power, clean, f"static char *field;\nstatic double result[{columns}];", f"field = calloc({points + rows + 1}, STRIDE);", f"""
	for (int i = 0; i < {rows}; i++)
		for (int j = 0; j < {columns}; j++) {{
			double sum = 0;
			for (int k = 0; k < {points}; k++)
				sum += k * ((double *)(field + (size_t)(i + k) * STRIDE))[j];
			result[j] += sum;
		}}
	return (long)result[5];""")


def gathered(rng, name):
    kind = rng.choice(list(TYPES))
    power, clean = strides(rng, [1024, 2048, 4096])
    count, passes = rng.randint(150, 400), rng.randint(100, 260)
    return Shape(power, clean, f"static {kind} *values;\nstatic int where[{count}];", f"""values = calloc({count} + 1, STRIDE);
	for (int i = 0; i < {count}; i++)
		where[i] = (int)((long)i * 7 % {count} * STRIDE / {TYPES[kind]});""", f"""
	{kind} sum = 0;
	for (int pass = 0; pass < {passes}; pass++)
		for (int i = 0; i < {count}; i++)
			sum += values[where[i]];
	return (long)sum;""")


def diagonals(rng, name):
    power, clean = strides(rng, [1024, 2048, 4096])
    size, passes = rng.randint(100, 140), rng.randint(4, 10)
    # From one row to the next the walk goes one int back.
    return Shape(power, clean, f"static char score[{size} * (STRIDE + 4)] __attribute__((aligned(64)));", "", f"""
	for (int pass = 0; pass < {passes}; pass++)
		for (int d = 1; d < 2 * {size} - 1; d++)
			for (int i = d < {size} ? 0 : d - {size} + 1; i < {size} && i <= d; i++) {{
				int *at = (int *)(score + i * (STRIDE + 4)) + d - i;
				*at += d ^ i;
			}}
	return ((int *)score)[9];""")


SHAPES = [column, planes, lockstep, records, nodes, buckets, product, transposed, butterflies, rings, tiles,
          stencil, gathered, diagonals]


# --- the rest of a program ---

def stream(rng, n):
    size = rng.choice([20000, 60000, 150000])
    return f"""static long long_row{n}[{size}];
static __attribute__((noinline)) long scan{n}(void)
{{
	long sum = 0;
	for (int i = 0; i < {size}; i++)
		sum += long_row{n}[i] += i;
	return sum;
}}""", f"scan{n}()"


def lookups(rng, n):
    size, looks = rng.choice([1 << 15, 1 << 17]), rng.randint(5000, 30000)
    return f"""static int heap_of{n}[{size}];
static __attribute__((noinline)) long look_up{n}(void)
{{
	long sum = 0;
	for (int i = 0; i < {looks}; i++)
		sum += heap_of{n}[next_random() & {size - 1}]++;
	return sum;
}}""", f"look_up{n}()"


def sums(rng, n):
    turns = rng.randint(20000, 100000)
    return f"""static __attribute__((noinline)) long mix{n}(void)
{{
	unsigned long value = {n} + 3;
	volatile unsigned long last[16] = {{ 0 }};
	for (int i = 0; i < {turns}; i++) {{
		value = value * 6364136223846793005 + 1442695040888963407;
		last[value >> 60] ^= value;
	}}
	return (long)last[3];
}}""", f"mix{n}()"


def sorting(rng, n):
    size = rng.randint(2000, 9000)
    return f"""static int by_value{n}(const void *a, const void *b)
{{
	return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}}

static __attribute__((noinline)) long sort{n}(void)
{{
	static int values[{size}];
	for (int i = 0; i < {size}; i++)
		values[i] = (int)next_random();
	qsort(values, {size}, sizeof(*values), by_value{n});
	return values[7];
}}""", f"sort{n}()"


def words(rng, n):
    count = rng.randint(500, 3000)
    return f"""static __attribute__((noinline)) long words{n}(void)
{{
	long sum = 0;
	for (int i = 0; i < {count}; i++) {{
		char *word = malloc(16 + next_random() % 200);
		sprintf(word, "%d", i);
		sum += strlen(word);
		if (i % 3)
			free(word);
	}}
	return sum;
}}""", f"words{n}()"


OTHERS = [stream, lookups, sums, sorting, words]

PROGRAM = """/* {shape}, seed {seed}, number {number} */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long random_state = {start};

static unsigned long next_random(void)
{{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state >> 11;
}}

{globals}

{inline}long {name}(void)
{{{body}
}}

{others}

int main(void)
{{
	long sum = 0;

	{setup}
{calls}
	printf("%ld\\n", sum);
	return 0;
}}
"""


def program(seed, number):
    rng = random.Random(f"{seed}/{number}")
    make = SHAPES[number % len(SHAPES)]
    name = rng.choice(NAMES)
    shape = make(rng, name)
    others = [rng.choice(OTHERS)(rng, n) for n in range(rng.randint(2, 5))]
    calls = [call for _, call in others] + [f"{name}()"]
    rng.shuffle(calls)
    inline = rng.choice(["static __attribute__((noinline)) ", "static __attribute__((noinline)) ", "static "])
    text = PROGRAM.format(shape=make.__name__, seed=seed, number=number, start=rng.randint(1, 1 << 40), globals=shape.globals,
                          inline=inline, name=name, body=shape.body, setup=shape.setup,
                          others="\n\n".join(text for text, _ in others),
                          calls="\n".join(f"\tsum += {call};" for call in calls))
    # GCC's -O3 may interchange loops, which would take the stride away.
    level = rng.choice(["-O1", "-O2", "-O2", "-O3,-fno-loop-interchange"])
    return text, f"{number:02} {make.__name__} {name} {level} {shape.clean} {shape.power}"


def main(seed, count, directory):
    with open(f"{directory}/list", "w", encoding="ascii") as listing:
        for number in range(count):
            text, line = program(seed, number)
            with open(f"{directory}/{number:02}.c", "w", encoding="ascii") as source:
                source.write(text)
            print(line, file=listing)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
