/** Nothing differs, and nothing failed. */
export const EXIT_OK = 0;
/** Something differs; or a simulation failed, hung or crashed. */
export const EXIT_DIFFERS = 1;
/** Wrong use; or something could not be read. Takes precedence over `EXIT_DIFFERS`. */
export const EXIT_ERROR = 2;
