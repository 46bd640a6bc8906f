/** Something that was looked at. What is not ok says how to mend it. */
export interface Finding {
  readonly name: string;
  readonly level: "ok" | "note" | "warning" | "problem";
  readonly message: string;
  /** A safe next step. */
  readonly remedy: string | null;
}

export const ok = (name: string, message: string): Finding => ({ name, level: "ok", message, remedy: null });
export const note = (name: string, message: string, remedy: string | null = null): Finding => ({
  name,
  level: "note",
  message,
  remedy,
});
export const warning = (name: string, message: string, remedy: string): Finding => ({
  name,
  level: "warning",
  message,
  remedy,
});
export const problem = (name: string, message: string, remedy: string): Finding => ({
  name,
  level: "problem",
  message,
  remedy,
});
