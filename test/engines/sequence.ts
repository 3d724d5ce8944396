/** Numbers that follow one another. It begins anew; what it returns is called with 0, 1, 2 and so on, a number for each. */
export type Sequence = () => (index: number) => number;
