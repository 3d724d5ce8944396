// Constants of the file format. docs/replay-format.md explains them.

/** "TWRP" in the first four bytes. */
export const MAGIC = 0x50525754;
/** "TWSR", the first four bytes of a session's state. */
export const SAVED_STATE = 0x52535754;
/** Increases when older readers can no longer read new files. New types of chunks alone do not require that. */
export const VERSION = 1;
/** Bytes before the first chunk, and bytes before the body of each chunk. */
export const FILE_HEAD = 8;
export const CHUNK_HEAD = 12;

/** All known types of chunks. */
export const TYPES: ReadonlySet<string> = new Set([
  "HEAD",
  "STRT",
  "SEAT",
  "CMDS",
  "INPT",
  "CHEK",
  "KEYF",
  "BACK",
  "DONE",
]);

/** Longest body of the HEAD chunk, in bytes. */
export const MAX_HEAD = 65_536;
/** Most ticks of an input chunk. Otherwise a few bytes could stand for a year of ticks. */
export const MAX_CHUNK_TICKS = 4096;
/** Longest name in a SEAT chunk, in bytes. */
export const MAX_NAME = 256;

/**
 * The byte of an event holds the lowest 6 bits of a seat, `WIDE` if a byte with the next bits follows, and `FLAG`. Without `WIDE`, it
 * is what it was before there were more than 64 seats.
 */
export const WIDE = 64;
export const FLAG = 128;

/** How a state is stored in its chunk. */
export const PLAIN = 0;
export const DEFLATED = 1;
/** Larger states are stored plain. This limits what a reader allocates for a state of unknown size. */
export const MAX_DEFLATED = 2 ** 28;

/** Kinds of changes of a word: 0 to 3 is the index of the one byte that changes; `SEVERAL` is followed by a mask. */
export const KINDS = 5;
export const SEVERAL = 4;

/** The fix for a damaged file, also at the command line. */
export const FIX = "Use the file exactly as it was recorded";
