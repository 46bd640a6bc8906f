/** The number of a lock of a store; `@` stands for its schema. */
const lock = (number: number) => `hashtextextended('@', ${number})`;

/** Shared by commits; sweeps and removals hold it alone. */
export const STORE_LOCK = lock(0);
/** For one sweep or migration at a time. */
export const UPKEEP_LOCK = lock(1);
export const LOG_LOCK = lock(2);
