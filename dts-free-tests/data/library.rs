// SPDX-License-Identifier: GPL-2.0-only
//! Loops that are inlined from the Rust library, and what its vectors hold.
const ROWS: usize = 512;
const LENGTH: usize = 1024;

#[inline(never)]
fn columns(grid: &Vec<f64>) -> f64 {
    let mut sum = 0.0;
    for column in 0..64 {
        for row in 0..ROWS {
            sum += grid[row * LENGTH + column];
        }
    }
    sum
}

#[inline(never)]
fn total(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b.iter()).map(|(x, y)| x * y).sum()
}

fn main() {
    let n = ROWS * LENGTH;
    let grid = vec![1.5f64; n];
    let left: Vec<f64> = (0..n).map(|i| i as f64).collect();
    let mut right = Vec::with_capacity(n);
    for i in 0..n {
        right.push(i as f64);
    }
    let mut sum = 0.0;
    for _ in 0..8 {
        sum += columns(&grid);
        sum += total(&left, &right);
    }
    println!("{}", sum);
}
