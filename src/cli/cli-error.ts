/** Ends the command with `EXIT_ERROR`. The message is printed as it is. */
export class CliError extends Error {}

/** A mistake on the command line. The name of the command and a pointer to its help are printed too. */
export class UsageError extends CliError {}
