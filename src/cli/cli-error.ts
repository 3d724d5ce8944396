import { EXIT_ERROR } from "./exit-status.js";

/** Ends the command with an exit status. The message is printed as it is. */
export class CliError extends Error {
  readonly status: number;

  constructor(message: string, status = EXIT_ERROR) {
    super(message);
    this.status = status;
  }
}

/** A mistake on the command line. The name of the command and a pointer to its help are printed too. */
export class UsageError extends CliError {}
