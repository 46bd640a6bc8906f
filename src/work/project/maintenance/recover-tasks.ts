import { readBounded } from "../../machine/read-bounded.ts";
import { taskStatusOf } from "../../import/formats/execution-file.ts";
import type { Imported } from "../../import/read-import.ts";
import type { Task, TaskStatus } from "../../state/work-state.ts";
import { isRecord } from "../../../core/text/untrusted.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { count } from "../../state/words.ts";
import type { Project } from "../project.ts";
import { findImportedFile } from "./imported-files.ts";

const MAX_OUTPUT_BYTES = 16 * 2 ** 20;

type CountedTask = Task & { readonly attempts?: unknown };

/**
 * What became of the tasks of an execution file: one that was running has the status in its output, if that exists, and
 * is to be done again otherwise. An output that is missing is named.
 */
export function withRecoveredTasks<Found extends Imported>(
  { root, notices, now }: Project,
  imported: Found,
  top: string,
): Found {
  if (imported.format !== "execution") return imported;
  const missing: string[] = [];
  const tasks = (imported.parts?.tasks ?? []).map((task: CountedTask): Task => {
    const output = task.evidence === undefined ? undefined : findImportedFile(root, top, task.evidence);
    const isThere = output !== undefined && output.place === "in the project";
    if (task.status === "completed" && output?.place === "missing") missing.push(output.recorded);
    if (task.status !== "in_progress") return task;
    const status = isThere ? statusIn(output.file) : "pending";
    const attempts = typeof task.attempts === "number" ? task.attempts : 0;
    notices.message(
      isThere
        ? `Task ${oneLine(task.id)} was running, and its output exists: it is ${status}.`
        : `Task ${oneLine(task.id)} was running, and has no output: it is pending again.`,
    );
    return { ...task, status, ...(!isThere && { attempts: attempts + 1 }) };
  });
  const { active_task_id: active, ...parts } = imported.parts ?? {};
  const isActive = tasks.some(({ id, status }) => id === active && status === "in_progress");
  const gotchas = parts.gotchas ?? [];
  if (missing.length > 0) {
    const text = `${count(missing.length, "output")} of completed tasks missing: ${missing.slice(0, 10).join(", ")}`;
    notices.warning(text);
    gotchas.push({ text, at: now().toISOString(), by: "import" });
  }
  const found = {
    ...parts,
    tasks,
    ...(isActive && { active_task_id: active }),
    ...(gotchas.length > 0 && { gotchas }),
  };
  return { ...imported, parts: found };
}

/** The status that an output says of its task. One that says nothing is there because the task was done. */
function statusIn(file: string): TaskStatus {
  const { bytes } = readBounded(file, MAX_OUTPUT_BYTES);
  if (bytes === undefined) return "pending";
  if (!file.endsWith(".json")) return "completed";
  try {
    const json: unknown = JSON.parse(bytes.toString("utf8"));
    const word = isRecord(json) ? json["status"] : undefined;
    return typeof word === "string" ? (taskStatusOf(word) ?? "completed") : "completed";
  } catch {
    // Its writing was interrupted.
    return "pending";
  }
}
