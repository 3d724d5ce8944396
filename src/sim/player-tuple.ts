/** One `T` per player: a tuple if the number of players is known to the compiler and small, else an array. */
export type PlayerTuple<T, N extends number, R extends readonly T[] = readonly []> = number extends N
  ? readonly T[]
  : R["length"] extends N
    ? R
    : R["length"] extends 16
      ? readonly T[]
      : PlayerTuple<T, N, readonly [...R, T]>;
