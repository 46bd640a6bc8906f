/** What came of going on with a run: that its runner is at work, or why it stopped. */
export interface Resumed {
  readonly isRunning: boolean;
  readonly message: string;
  readonly hint: string | null;
}
