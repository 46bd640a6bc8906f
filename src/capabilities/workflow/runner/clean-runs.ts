import { insteadOf } from "../../../core/errors.ts";
import { lstatSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { DAY_MS } from "../../../core/trails/retention-policy.ts";
import { formatDuration } from "../../../core/text/duration.ts";
import type { WorkflowContext } from "../context.ts";
import { refuseLinks } from "../../../core/store/private-files.ts";
import { makeFolder } from "../engine/attempt-folder.ts";
import type { RunStatus } from "../../../work/state/run-trail.ts";
import { archiveRun } from "./archive.ts";
import { isInterrupted } from "./find-runs.ts";
import { readRuns } from "./read-runs.ts";
import { runFolder } from "./run-folder.ts";

export interface CleanOptions {
  /** 7 unless given. */
  readonly maxAgeDays?: number | undefined;
  /** Which runs to clean: failed ones unless given. Never running ones. */
  readonly status?: Exclude<RunStatus, "running"> | "interrupted" | undefined;
  readonly dryRun?: boolean;
  /** Where to write the report; a new file in `.cairn/reports` unless given. */
  readonly report?: string | undefined;
}

export interface CleanReport {
  readonly dry_run: boolean;
  readonly removed: readonly {
    readonly run: string;
    readonly workflow: string;
    readonly reason: string;
    readonly bytes: number;
  }[];
  readonly kept: readonly { readonly run: string; readonly reason: string }[];
  /** Older archives that were deleted: only the last five of every workflow are kept. */
  readonly dropped: readonly string[];
  readonly bytes_freed: number;
  /** Where the report was written; null for a dry run. */
  readonly report: string | null;
}

/**
 * Removes old runs, and reports what was removed, why, and how many bytes that freed. Each run is archived first: the
 * last five archives of every workflow are kept; attempt folders and older archives are deleted.
 */
export async function cleanRuns(
  context: WorkflowContext,
  { maxAgeDays = 7, status = "failed", dryRun = false, report }: CleanOptions = {},
): Promise<CleanReport> {
  const removed: CleanReport["removed"][number][] = [];
  const kept: CleanReport["kept"][number][] = [];
  for await (const found of readRuns(context)) {
    const { id } = found;
    if ("damage" in found) {
      kept.push({ run: id, reason: "its state is damaged, and evidence is never removed" });
      continue;
    }
    const { run } = found;
    // A date in the future, or none, counts as new: a wrong clock must not remove anything.
    const ageMs = Math.max(0, context.now().getTime() - Date.parse(run.updated_at)) || 0;
    const statusNow = (await isInterrupted(context, run)) ? "interrupted" : run.status;
    if (statusNow !== status) kept.push({ run: id, reason: `it is ${statusNow.replace("_", " ")}` });
    else if (ageMs <= maxAgeDays * DAY_MS)
      kept.push({ run: id, reason: `it was changed ${formatDuration(ageMs)} ago` });
    else {
      const bytes = sizeOf(runFolder(context, id));
      // Completed runs are already archived: once their output is gone, nothing is left to do.
      if (bytes === 0 && run.archived_as !== undefined)
        kept.push({ run: id, reason: "it is archived, and what it printed is gone" });
      else {
        const reason = `${status.replace("_", " ")}, last changed ${formatDuration(ageMs)} ago`;
        removed.push({ run: id, workflow: run.workflow, reason, bytes });
      }
    }
  }
  if (dryRun) return { dry_run: true, removed, kept, dropped: [], bytes_freed: 0, report: null };
  const path =
    report ??
    join(context.folder, "reports", `clean-${context.now().toISOString().replaceAll(/[:.]/g, "-")}.md`);
  if (report === undefined) refuseLinks(context.folder, path);
  // Nothing is removed unless the report can be written.
  makeFolder(dirname(path));
  writeFileSync(path, "", { mode: 0o600, flag: "wx" });
  const dropped: string[] = [];
  // Oldest first, so that the newest archives are kept.
  for (const { run } of removed.toReversed()) {
    dropped.push(...(await archiveRun(context, run)).removed);
    // Its output is deleted; its state stays in the archive while there is room.
    rmSync(runFolder(context, run), { recursive: true, force: true });
  }
  const nothing = { bytesFreed: 0 };
  // A damaged store gives nothing back until it is repaired. What was cleaned before that stands, and is reported.
  const { bytesFreed } =
    removed.length > 0 ? await context.cairn.sweep().catch(insteadOf("corrupt", nothing)) : nothing;
  const bytes_freed = bytesFreed + removed.reduce((sum, { bytes }) => sum + bytes, 0);
  const result = { dry_run: false, removed, kept, dropped, bytes_freed, report: path };
  writeFileSync(path, markdown(result, context.now()), { mode: 0o600 });
  return result;
}

function markdown({ removed, kept, dropped, bytes_freed }: CleanReport, now: Date): string {
  const rows = removed.map(
    ({ run, workflow, reason, bytes }) => `| ${run} | ${workflow} | ${reason} | ${bytes} |`,
  );
  const table =
    rows.length === 0
      ? ["Nothing was removed."]
      : ["| run | workflow | why | bytes of its attempts |", "| --- | --- | --- | ---: |", ...rows];
  const stayed = kept.map(({ run, reason }) => `- ${run}: ${reason}`);
  return [
    `# Clean-up of runs, ${now.toISOString()}`,
    "",
    ...table,
    "",
    ...(dropped.length === 0
      ? []
      : [
          `Deleted for good, as only the last five archives of every workflow are kept: ${dropped.join(", ")}.`,
          "",
        ]),
    `Freed: ${bytes_freed} bytes.`,
    "",
    "## Kept",
    "",
    ...(stayed.length === 0 ? ["Nothing else was there."] : stayed),
    "",
  ].join("\n");
}

function sizeOf(path: string): number {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  if (!stats.isDirectory()) return stats.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
