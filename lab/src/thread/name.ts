/** The experiment's name in the address. In its own file, because the rest is loaded on demand. */
export const THREAD = "thread";
