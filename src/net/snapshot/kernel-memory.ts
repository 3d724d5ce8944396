// Where things are in the memory that the kernel works on. `scripts/kernels.mjs` compiles these constants into the wasm.

// Registers: indices of 32-bit words.
/** The lower end of the encoder's range. */
export const LOW = 0;
/** The size of the coder's range. */
export const RANGE = 1;
/** The decoder's position in its range. */
export const CODE = 2;
/** The next byte to write or read, and the end of the bytes. */
export const AT = 3;
export const LIMIT = 4;
/** Set if the output is full, or if the input is invalid. */
export const HAS_FAILED = 5;
export const IS_DECODING = 6;
/** The images, as indices of words. There is no older one if `OLDER` is 0. */
export const TARGET = 7;
export const BASELINE = 8;
export const OLDER = 9;
/** Ticks from the baseline to the target, and from the older image to the baseline. */
export const AHEAD = 10;
export const BEHIND = 11;
/** The longest residual so far in the row, in bits, plus 1. 0 if there is none. */
export const SEEN = 12;
/** The row that was coded before, as an index of a word, or 0. */
export const LAST_ROW = 13;
/** The first word of the program. */
export const PROGRAM = 14;
/** To encode, decisions are collected first: the start of the list, where the next one goes, and where it is too full for a row. */
export const LIST = 15;
export const NEXT = 16;
export const FULL = 17;
/** The end of the decisions that were encoded last, and how often the list was emptied. */
export const LIST_END = 18;
export const LISTS = 19;
/** The predicted and the earlier components of a quaternion, three words each. */
export const PREDICTED = 20;
export const EARLIER = 24;
/** Whether each row of a block moved before (0 to 3), and whether it changed: bytes. */
export const MOVED = 128;
export const CHANGED = 192;
/** Quaternions, and a number as bits: indices of doubles. */
export const QUAT_A = 40;
export const QUAT_B = 44;
export const CELL = 48;
/** The step of a quaternion's components. Passed in memory, as V8 may box doubles that are arguments. */
export const QUAT_STEP = 49;
/** The expected lengths of residuals by move and by what was seen: bytes, for numbers and then for quaternions. */
export const CENTRES = 512;
export const TURN_CENTRES = 584;
/** Bytes of all that. What follows has any size. */
export const HEAD_BYTES = 1024;

/** Rows that share a flag. */
export const BLOCK = 8;

// The program: a count of sections, then 8 words per section.
export const SECTION_WORDS = 8;
export const ROWS = 0;
export const STRIDE = 1;
export const OFFSET = 2;
export const COLUMNS = 3;
export const COLUMN_COUNT = 4;
export const HAS_IDS = 5;
export const ROW_MODEL = 6;
export const MAX_ID = 7;

// Columns: 10 words each.
export const COLUMN_WORDS = 10;
export const KIND = 0;
export const FIRST = 1;
export const COUNT = 2;
/** 1: also for free rows. 2: a new row continues the values of the row that it replaces. */
export const FLAGS = 3;
export const MIN = 4;
export const MAX = 5;
export const MODEL = 6;
export const BITS = 7;
/** The words from a number to its velocity in the row, 0 if it has none; and what a velocity of 1 adds per tick, in parts of 2^20. */
export const VELOCITY = 8;
export const SCALE = 9;

export const INTEGER = 0;
export const BOOLEAN = 1;
export const CHOICE = 2;
export const QUAT = 3;
export const FLOAT64 = 4;

// Contexts of a section.
/** "A block changed": by how its rows moved before, and whether the block before it changed. */
export const BLOCK_FLAG = 0;
/** "A row changed": by how it moved before, and how many of the two rows before it changed. */
export const ROW_FLAG = 8;
/** "The id is the same": for free rows and for live ones. */
export const ID_FLAG = 20;
/** The change of an id: lengths for free rows and for live ones. */
export const ID_RESIDUAL = 22;
export const ROW_CONTEXTS = 54;

// Contexts of a residual: its length by the size of the predicted move and by what was seen in the row.
export const UNKNOWN_MOVE = 10;
export const NEW_ROW = 11;
/** Nothing yet, or lengths of 0, 1 to 2, 3 to 4, 5 to 6, more. */
export const SEENS = 6;
export const LENGTHS = 16;

export const CHOICE_CONTEXTS = 258;
/** "The largest component is the expected one", then a tree of 3 bits; residuals follow. */
export const QUAT_CONTEXTS = 16;
/** Lengths of 0 to 64 bits as a tree, for numbers that rested or moved or are new; signs. */
export const FLOAT64_CONTEXTS = 387;
