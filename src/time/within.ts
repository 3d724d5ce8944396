/** Clamps a number to the range from `-max` to `max`. */
export const within = (max: number, value: number) => Math.max(-max, Math.min(max, value));
