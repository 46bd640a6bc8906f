import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readBounded } from "../../machine/read-bounded.ts";
import type { Imported } from "../../import/read-import.ts";
import type { ForeignPipeline } from "../../import/formats/pipeline.ts";
import { isRecord } from "../../../core/text/untrusted.ts";
import type { Project } from "../project.ts";
import { findImportedFile } from "./imported-files.ts";

const REPORTS = "memory/reports";
const MAX_REPORT_BYTES = 16 * 2 ** 20;
const MAX_OPTIONS = 20;

/** What the files of a phase say of it, whatever its state file says. */
interface ResumePoint {
  readonly isDone: boolean;
  /** What shows it, below the folder around `memory`. */
  readonly files: readonly string[];
  /** The names of designs that wait for a choice. */
  readonly choices?: readonly string[];
}

interface Look {
  /** Those of these files that exist, are in the project, and hold valid JSON if they are called so. */
  valid(...names: readonly string[]): string[];
  /** The files of a folder. */
  list(folder: string): string[];
}

const POINTS: Readonly<Record<string, (look: Look) => ResumePoint>> = {
  REQUIREMENTS: (look) => shownBy(look.valid(`${REPORTS}/demand.json`)),
  ARCHITECTURE: (look) => {
    const final = look.valid(`${REPORTS}/final_design.json`, `${REPORTS}/designs/final_design.json`);
    if (final.length > 0) return shownBy(final);
    const designs = look.valid(...look.list(`${REPORTS}/designs`));
    const choices = designs.map((path) => nameOf(path)).slice(0, MAX_OPTIONS);
    return designs.length === 0 ? shownBy([]) : { isDone: true, files: designs, choices };
  },
  VERIFICATION: (look) => shownBy(look.valid(`${REPORTS}/verification.json`)),
  REFLECTION: (look) =>
    shownBy(look.valid(...look.list(REPORTS).filter((path) => nameOf(path).startsWith("reflection")))),
};

const shownBy = (files: readonly string[]): ResumePoint => ({ isDone: files.length > 0, files });
const nameOf = (path: string) => path.replace(/^.*\//, "").replace(/\.\w+$/, "");

/**
 * Finds where a workflow of phases resumes. A phase whose output exists is done, though the state file was not updated any
 * more; designs without a final one wait for the person's choice, and the architects are not asked again.
 */
export function withResumePoint<Found extends Imported>(
  { root, notices }: Project,
  imported: Found,
  top: string,
): Found {
  const { pipeline } = imported;
  const current = pipeline?.steps.find(({ state }) => state === "under way");
  const point = current && POINTS[current.name]?.(lookIn(root, top));
  // What a phase that failed has left behind does not make it done.
  if (pipeline?.unit !== "phase" || pipeline.problem !== null) return imported;
  if (current === undefined || point === undefined) return imported;
  const { isDone, files, choices } = point;
  if (!isDone) {
    notices.message(`${current.name} has no valid output yet: it runs again.`);
    return imported;
  }
  const question = choices && {
    step: current.name,
    text: `Which design? There are designs in ${REPORTS}/designs, and no final_design.json.`,
    options: [...new Set(choices)],
  };
  notices.message(
    question
      ? `${current.name} waits for a choice of its design.`
      : `${current.name} is done: ${files[0]} exists.`,
  );
  return {
    ...imported,
    pipeline: { ...withDone(pipeline, current.name, files), ...(question && { question }) },
  };
}

/** The pipeline with a step that is done, and the one after it under way. */
export function withDone(pipeline: ForeignPipeline, name: string, files: readonly string[]): ForeignPipeline {
  const steps = pipeline.steps.map((step) =>
    step.name === name ? { ...step, state: "done" as const } : step,
  );
  return {
    ...pipeline,
    steps,
    artifacts: [...pipeline.artifacts, ...files.map((path) => ({ path, step: name }))],
  };
}

function lookIn(root: string, top: string): Look {
  return {
    valid: (...names) =>
      names.filter((name) => {
        const { file, place } = findImportedFile(root, top, name);
        return place === "in the project" && (!name.endsWith(".json") || isJson(file));
      }),
    list: (folder) => {
      try {
        return readdirSync(join(top, folder))
          .toSorted()
          .map((name) => `${folder}/${name}`);
      } catch {
        return [];
      }
    },
  };
}

function isJson(file: string): boolean {
  const { bytes } = readBounded(file, MAX_REPORT_BYTES);
  try {
    return bytes !== undefined && isRecord(JSON.parse(bytes.toString("utf8")));
  } catch {
    return false;
  }
}
