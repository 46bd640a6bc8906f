/** What people do today instead of using a store. */
export interface Habit {
  readonly name: string;
  readonly keepsHistory: boolean;
  /** Makes a state durable in its way. */
  save(state: object): void;
  /** All bytes it left on disk. */
  bytes(): number;
}
