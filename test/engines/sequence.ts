/** Starts a sequence of numbers. The function that it returns must be called with 0, 1, 2 and so on. */
export type Sequence = () => (index: number) => number;
