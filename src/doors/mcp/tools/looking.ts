import type { CheckpointInfo } from "../../../core/trails/document.ts";
import { clip, oneLine, visibleJson } from "../../../core/text/visible.ts";
import * as diffs from "../../../work/project/reading/diff.ts";
import * as lists from "../../../work/project/reading/list.ts";
import * as loads from "../../../work/project/reading/load.ts";
import { READING } from "../../../work/project/reading/verbs.ts";
import { summary } from "../../../work/project/reading/summary.ts";
import * as plans from "../../../capabilities/workflow/verbs/runs.ts";
import { RUNS } from "../../../capabilities/workflow/run-verbs.ts";
import { WORKFLOWS } from "../../../capabilities/workflow/verbs.ts";
import { unified } from "../../../capabilities/files/moments/line-diff.ts";
import { filesDiff as diffFiles } from "../../../capabilities/files/verbs/files-diff.ts";
import { FILES } from "../../../capabilities/files/verbs.ts";
import * as searches from "../../../capabilities/search/search.ts";
import { SEARCH } from "../../../capabilities/search/verbs.ts";
import { count } from "../../../work/state/words.ts";
import { tool } from "../tool.ts";
import { withoutLargeParts } from "../without-large-parts.ts";

export const load = tool(READING.load, {
  run: async ({ fields, ...input }, { project }) => {
    const { state, ...checkpoint } = await loads.load(project, input);
    const { parts, omitted } = withoutLargeParts(state, fields);
    return { checkpoint, state: parts, ...(omitted.length > 0 ? { omitted } : {}) };
  },
  text: (result) => visibleJson(JSON.stringify(result)),
});

export const list = tool(READING.list, {
  run: (input, { project }) => lists.list(project, input),
  text: ({ checkpoints }) => checkpoints.map(line).join("\n"),
});

function line({ checkpoint_id, created_at, trail, trigger, notes }: CheckpointInfo): string {
  const words = notes === null ? "" : `  ${oneLine(notes)}`;
  return `${checkpoint_id}  ${created_at}  ${trail}  ${oneLine(trigger)}${words}`;
}

/** An agent pays for every hit: few, short ones, and one of them as a whole if it is worth that. */
const FEW_HITS = 6;
const LONGEST_HIT = 8_000;

export const search = tool(SEARCH.search, {
  run: async (input, { project }) => {
    const { hits, ...rest } = await searches.search(project, { limit: FEW_HITS, ...input });
    return { hits: hits.map((hit) => ({ ...hit, text: clip(hit.text, LONGEST_HIT) })), ...rest };
  },
  text: ({ hits, turn, unknown, searched }) => {
    const nowhere = unknown.map(
      ({ word, nearest }) => `"${word}" occurs nowhere. Like it: ${nearest.join(", ") || "nothing"}`,
    );
    const none = hits.length === 0 ? [`Nothing found in ${count(searched, "text")}.`] : [];
    const found = hits.map(({ id, kind, who, at, text }) =>
      [id, kind, who ?? "", at.slice(0, 10), oneLine(text)].join("  "),
    );
    const around = turn.map(({ kind, text }) => `${kind}  ${oneLine(text)}`);
    if (around.length > 0) around.unshift("In the same turn:");
    return [...found, ...around, ...none, ...nowhere].join("\n");
  },
});

export const diff = tool(READING.diff, {
  run: async (input, { project }) => {
    const { changes: found, ...pair } = await diffs.diff(project, input);
    return { ...pair, ...found };
  },
  text: ({ from, to, changed, ...found }) => {
    const words = changed ? visibleJson(JSON.stringify(found)) : "Nothing changed.";
    return `${from.checkpoint_id} → ${to.checkpoint_id}\n${words}`;
  },
});

export const handoff = tool(READING.summary, {
  run: async (input, { project }) => {
    const { kept: _kept, dropped, ...rest } = await summary(project, input);
    return { ...rest, dropped: dropped.map(({ id }) => id).slice(0, 200) };
  },
  text: (briefing) => briefing.text,
});

export const runs = tool(RUNS.runs, {
  run: async (input, { project }) => ({ runs: await plans.runs(project, input) }),
  text: ({ runs: found }) => {
    const lines = found.map(({ id, workflow, status, completed, total, next }) =>
      oneLine(
        `${id}  ${workflow}  ${status}  ${completed}/${total}${next.length > 0 ? `  next: ${next.join(", ")}` : ""}`,
      ),
    );
    return lines.length === 0 ? "No runs." : lines.join("\n");
  },
});

export const resumePlan = tool(WORKFLOWS.resumePlan, {
  run: (input, { project }) => plans.resumePlan(project, input),
  text: ({ run_id, status, can_resume, resume_check, steps }) => {
    const first = `${run_id} is ${status}; ${can_resume ? "it can be resumed" : "it cannot be resumed"} (${resume_check.verdict}).`;
    return [first, ...steps.map(({ id, action, reason }) => oneLine(`${action}  ${id}: ${reason}`))].join(
      "\n",
    );
  },
});

/** An agent that needs more asks for one file. */
const MOST_DIFF_CHARS = 20_000;

export const filesDiff = tool(FILES["files diff"], {
  run: async (input, { project }) => {
    const { files, ...moments } = await diffFiles(project, input);
    const whole = files.map((file) => unified(file)).join("\n");
    const cut = whole.length > MOST_DIFF_CHARS ? "\nThe rest is left out: ask for one path." : "";
    const short = files.map(({ hunks: _hunks, ...file }) => file);
    return { ...moments, files: short, diff: whole.slice(0, MOST_DIFF_CHARS) + cut };
  },
  text: ({ diff: lines }) => (lines === "" ? "No file differs." : lines),
});
