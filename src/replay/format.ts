// The numbers of the file format; docs/replay-format.md tells what they mean.

/** "TWRP" in the first four bytes. */
export const MAGIC = 0x50525754;
/** One more when a file can no longer be read by those who know the one before. What is only added are new chunks. */
export const VERSION = 1;
/** Bytes before the first chunk, and before the body of each. */
export const FILE_HEAD = 8;
export const CHUNK_HEAD = 12;

/** All known types of chunks. */
export const TYPES: ReadonlySet<string> = new Set(["HEAD", "STRT", "INPT", "CHEK", "KEYF", "BACK", "DONE"]);

/** Most bytes of the first chunk's body: what the file is of. */
export const MOST_HEAD = 65_536;
/** Most ticks of an input chunk: so that no few bytes stand for a year. */
export const MOST_CHUNK_TICKS = 4096;

/** How a state lies in its chunk. */
export const PLAIN = 0;
export const DEFLATED = 1;
/** Greater states are not deflated, so that a reader who does not know their size need not believe more. */
export const MOST_DEFLATED = 2 ** 28;

/** Kinds of a change in a word: one byte of it, by its number, or several, by a mask. */
export const KINDS = 5;
export const SEVERAL = 4;

export const CURE = "what a recorder gave, whole";
