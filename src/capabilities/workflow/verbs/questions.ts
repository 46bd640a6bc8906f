import { realpathSync } from "node:fs";
import { join } from "node:path";
import { readBounded } from "../../../work/machine/read-bounded.ts";
import { isInside } from "../../../work/machine/recorded-path.ts";
import { artifactsBefore, digestOfFiles } from "../run/approval.ts";
import { type Artifact, stepsWith } from "../run/run-state.ts";
import { readRun } from "../runner/examine-run.ts";
import { filesNow } from "../runner/files-now.ts";
import { questionFor, whyNoAnswer } from "../../../work/project/answering.ts";
import type { Project } from "../../../work/project/project.ts";
import { openRun } from "./open-runs.ts";
import { questionOf } from "./run-outcome.ts";
import type { InputOf } from "../../../work/verbs/field.ts";
import type { WORKFLOWS } from "../verbs.ts";

export type QuestionsInput = InputOf<(typeof WORKFLOWS)["questions"]>;

/** A file that a question is about, as it is now. */
export interface ReviewedFile extends Artifact {
  /** Whether it differs from what the step had made: its hash is `missing` if it is gone. */
  readonly changed: boolean;
  /** How it begins, if it is a text inside the project. */
  readonly text: string | null;
  /** Whether the text is only its beginning. */
  readonly is_cut: boolean;
}

export interface OpenQuestion extends Omit<ReturnType<typeof questionOf>, "files"> {
  readonly files: readonly ReviewedFile[];
  /** What these files are at this moment: with it an answer covers nothing else. */
  readonly digest: string;
}

export interface OpenQuestions {
  readonly run: string;
  readonly questions: readonly OpenQuestion[];
  /** Why who looks may not answer them; null if it may. */
  readonly refused: string | null;
}

/** The longest beginning of a file that is shown. */
const TEXT_BYTES = 20_000;

/** What a run asks at this moment, with what there is to look at before deciding. */
export async function questions(project: Project, input: QuestionsInput): Promise<OpenQuestions> {
  const { workflows, id } = await openRun(project, input.run, "read");
  const run = await readRun(workflows, id);
  const open: OpenQuestion[] = [];
  for (const step of stepsWith(run, "awaiting_approval")) {
    const files = await filesNow(workflows, artifactsBefore(run, step));
    open.push({
      ...questionOf(run, step),
      digest: digestOfFiles(files),
      files: files.map((file) => ({
        ...file,
        changed: file.sha256 !== run.artifacts[file.path]?.sha256,
        text: textOf(workflows.root, file),
        is_cut: file.size_bytes > TEXT_BYTES,
      })),
    });
  }
  const refused = open.length === 0 ? undefined : await whyNoAnswer(project, questionFor(run));
  return { run: run.id, questions: open, refused: refused ?? null };
}

/** A run may have been imported, with paths that lead anywhere: only what is in the project is shown. */
function textOf(root: string, { path, sha256 }: Artifact): string | null {
  if (sha256 === "missing" || !isInside(realpathSync(root), realpathSync(join(root, path)))) return null;
  const { bytes } = readBounded(join(root, path), TEXT_BYTES, "cut");
  return bytes === undefined || bytes.includes(0) ? null : bytes.toString("utf8");
}
