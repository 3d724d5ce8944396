/** What ends the command with status 2: wrong use, or what cannot be read. */
export class CliError extends Error {}

/** Wrong use: the page of the command says how it is used. */
export class UsageError extends CliError {}

/** The exit status: all is well; something differs or failed; wrong use, or something could not be read. */
export const EXIT_OK = 0;
export const EXIT_DIFFERS = 1;
export const EXIT_ERROR = 2;
