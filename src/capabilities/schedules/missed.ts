/** What happens about times at which nothing was there to start a run. */
export const MISSED = ["skip", "last", "all"] as const;
