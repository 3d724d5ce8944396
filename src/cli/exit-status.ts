/** Nothing differs, and nothing failed. */
export const EXIT_OK = 0;
/** Something differs; a simulation failed, hung or crashed; or a server cannot listen on its port. */
export const EXIT_FAILED = 1;
/** Wrong use; or something could not be read. Takes precedence over `EXIT_FAILED`. */
export const EXIT_ERROR = 2;
