import { oneLine } from "../../handoff/visible.ts";
import { stateOf, type Run } from "../../workflow/run/run-state.ts";
import type { RunSummary } from "../../workflow/runner/find-runs.ts";
import type { Step } from "../go-on.ts";

/** The commands that move a run, or make use of it, and what each is for. */
export function runGoOn(run: Run, { status, next }: Pick<RunSummary, "status" | "next">): Step[] {
  const { id } = run;
  const resume = (why: string): Step => ({ command: `checkpoint resume ${id}`, why });
  switch (status) {
    case "awaiting_approval":
      return [...questions(run), resume("afterwards, unless its runner is waiting")];
    case "failed":
      return [resume(`once the cause is repaired: goes on with ${names(next)}`)];
    case "completed":
      return [
        { command: `checkpoint artifacts ${id} --verify`, why: "whether all files are as they were made" },
        { command: `checkpoint summary --trail run/${id}`, why: "a briefing for whoever goes on from here" },
      ];
    case "running":
      return [{ command: `checkpoint runs show ${id}`, why: "again, later: it runs by itself" }];
    case "archived":
    case "cancelled":
    case "corrupt":
      return [];
    case "paused":
    case "pending":
    case "interrupted":
      return [resume(`goes on with ${names(next)}`)];
  }
}

function questions(run: Run): Step[] {
  const open = run.definition.filter((step) => stateOf(run, step.id).status === "awaiting_approval");
  return open.flatMap((step) => {
    const which = open.length === 1 ? run.id : `${run.id} ${step.id}`;
    const question = oneLine(step.question ?? step.id);
    const yes = (step.options ?? [undefined]).map((option) => ({
      command: `checkpoint approve ${which}${option === undefined ? "" : ` --choose ${quoted(option)}`}`,
      why: question,
    }));
    return [
      ...yes,
      { command: `checkpoint reject ${which} --reason "…"`, why: "the step fails, with your reason" },
    ];
  });
}

/** Whatever is put into a command line must not mean anything to a shell. */
const quoted = (text: string) =>
  /^[\w.-]+$/.test(text) ? text : `'${oneLine(text).replaceAll("'", "'\\''")}'`;

function names(next: readonly string[]): string {
  if (next.length === 0) return "what is left";
  return `${next.slice(0, 3).map(oneLine).join(", ")}${next.length > 3 ? ` and ${next.length - 3} more` : ""}`;
}
