// SPDX-License-Identifier: GPL-2.0-only

// A slice on Go's heap.
package main

import "os"

func walk(array []float64) float64 {
	sum := 0.0
	for turn := 0; turn < 10; turn++ {
		for i := 0; i < len(array); i += 8 {
			sum += array[i]
		}
	}
	return sum
}

func main() {
	array := make([]float64, 1<<18)
	for i := range array {
		array[i] = float64(i)
	}
	if walk(array) < 0 {
		os.Exit(1)
	}
}
