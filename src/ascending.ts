// Sorts distinct numbers, such as years.

/** The numbers in ascending order, each once. */
export const ascending = (numbers: Iterable<number>): number[] => [...new Set(numbers)].sort((a, b) => a - b);
