/** Prints a warning on the console, if the platform has one. */
export const consoleWarn = (text: string): void => globalThis.console?.warn(text);
