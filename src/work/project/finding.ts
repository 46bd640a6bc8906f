import type { Project } from "./project.ts";

/** Something that `doctor` looked at. Whatever is not ok says what to do. */
export interface DoctorFinding {
  readonly name: string;
  readonly level: "ok" | "note" | "warning" | "problem";
  readonly message: string;
  /** A safe next step. */
  readonly remedy: string | null;
}

/** What a capability has to say about a project's health. It changes nothing, and sends nothing. */
export type DoctorCheck = (
  project: Project,
  /** Whether the project belongs to another user. */
  options: { readonly isForeign: boolean },
) => Promise<readonly DoctorFinding[]>;

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
