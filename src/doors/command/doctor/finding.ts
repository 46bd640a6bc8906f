/** Something that `doctor` looked at. Whatever is not ok says what to do. */
export interface DoctorFinding {
  readonly name: string;
  readonly level: "ok" | "note" | "warning" | "problem";
  readonly message: string;
  /** A safe next step. */
  readonly remedy: string | null;
}

const finding =
  (level: DoctorFinding["level"]) =>
  (name: string, message: string, remedy: string | null = null): DoctorFinding => ({
    name,
    level,
    message,
    remedy,
  });

export const ok = finding("ok");
export const note = finding("note");
export const warning = finding("warning");
export const problem = finding("problem");
