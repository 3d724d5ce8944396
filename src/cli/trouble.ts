/** What ends the command with status 2: wrong use, or what cannot be read. */
export class Trouble extends Error {}

/** Wrong use: the page of the command says how it is used. */
export class WrongUse extends Trouble {}

/** The exit status: all is well; something differs or failed; wrong use, or something could not be read. */
export const WELL = 0;
export const FOUND = 1;
export const TROUBLE = 2;
