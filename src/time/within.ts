/** A number, or the nearest one that lies within `most` of 0. */
export const within = (most: number, value: number) => Math.max(-most, Math.min(most, value));
