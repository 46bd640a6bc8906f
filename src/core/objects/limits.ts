/** How many arrays and objects may stand inside each other, the state itself being the first. Recursion beyond this would overflow the stack of some reader. */
export const MAX_DEPTH = 256;

/** How many characters of JSON a whole state may have: values, keys, brackets and separators. What stands in it twice counts twice. */
export const MAX_STATE_CHARS = 256 * 1024 * 1024;

/** A value whose JSON is longer than this becomes an object of its own. */
export const INLINE_CHARS = 2048;

/** How many children an index may have before it is cut into objects of its own. */
export const INLINE_CHILDREN = 32;

/** Sizes, in characters of JSON, between which content-defined cuts are made. */
export interface CutSizes {
  readonly min: number;
  readonly target: number;
  readonly max: number;
}

/** Runs of array elements or of map entries. */
export const RUN_SIZES: CutSizes = { min: 6 * 1024, target: 16 * 1024, max: 64 * 1024 };

/** Pieces of a long string. A string up to the maximum stays whole. */
export const PIECE_SIZES: CutSizes = { min: 4 * 1024, target: 12 * 1024, max: 48 * 1024 };

/** Index entries of about 75 characters each. */
export const INDEX_SIZES: CutSizes = { min: 4 * 75, target: 16 * 75, max: 48 * 75 };
