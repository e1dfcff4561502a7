/** Solves the symmetric positive system by Cholesky; `matrix` is filled in its lower half, and is used up. */
export function solveSymmetric(matrix: Float64Array, right: Float64Array): Float64Array {
  const n = right.length;
  for (let j = 0; j < n; j++) {
    for (let k = 0; k <= j; k++) {
      let sum = matrix[j * n + k]!;
      for (let m = 0; m < k; m++) sum -= matrix[j * n + m]! * matrix[k * n + m]!;
      matrix[j * n + k] = j === k ? Math.sqrt(Math.max(sum, 1e-12)) : sum / matrix[k * n + k]!;
    }
  }
  const found = Float64Array.from(right);
  for (let j = 0; j < n; j++) {
    for (let m = 0; m < j; m++) found[j]! -= matrix[j * n + m]! * found[m]!;
    found[j]! /= matrix[j * n + j]!;
  }
  for (let j = n - 1; j >= 0; j--) {
    for (let m = j + 1; m < n; m++) found[j]! -= matrix[m * n + j]! * found[m]!;
    found[j]! /= matrix[j * n + j]!;
  }
  return found;
}
