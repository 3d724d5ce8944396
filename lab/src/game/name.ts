/** Its name in the address: apart from the rest, which is loaded only when it is asked for. */
export const GAME = "game";
