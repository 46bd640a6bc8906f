/** Stands in until this entry point is written. */
export const placeholder = 1;
