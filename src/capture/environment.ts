/** The variables of a process. Handed in by the caller: this layer never reads them by itself. */
export type Environment = Readonly<Record<string, string | undefined>>;
