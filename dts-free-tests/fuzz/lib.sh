# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Runs a fuzzer (make fuzzers) for a fixed number of inputs, the same ones each time; sourced by
# the script of each, with its arguments: BUILD [TIMES]. TIMES multiplies the number of inputs.
# To fuzz on: make fuzz TIME=SECONDS.
# shellcheck source=dts-free-tests/tap.sh
. "$(dirname "${BASH_SOURCE[0]}")/../tap.sh"
times=${2:-1}
corpus=$work/corpus	# to begin with; the first byte of a file says how the fuzzer takes the rest
mkdir "$corpus"

# Bytes of an awk of a fixed seed.
seed_recipes()
{
	local seed

	for seed in 1 2 3 4 5 6; do
		LC_ALL=C awk -v seed=$seed 'BEGIN {
			srand(seed)
			for (i = 0; i < 3000; i++)
				printf "%c", int(rand() * 256) }' >"$corpus/recipe$seed"
	done
}

# The fuzzer of this script, test-NAME: fuzz-NAME.
fuzz() # inputs
{
	local name=fuzz-${0##*/test-} runs=$(($1 * times))

	if [ -n "${FUZZ_SEEDS:-}" ]; then
		cp "$corpus"/* "$FUZZ_SEEDS/"
		skip_all "only its corpus was asked for"
	fi
	if [ ! -x "$build/fuzz/$name" ]; then
		command -v clang >/dev/null || skip_all "clang is not installed"
		skip_all "the fuzzer is not built (make fuzzers)"
	fi
	try "$name: $runs inputs, no crash" \
		"$build/fuzz/$name" -seed=1 -runs="$runs" -max_len=70000 -timeout=20 \
		-artifact_prefix="$build/fuzz/$name-" "$corpus"
}
