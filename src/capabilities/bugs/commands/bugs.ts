import { EXIT_STATUS } from "../../../core/errors.ts";
import { ago } from "../../../core/text/time.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { OpenStores } from "../../../work/project/open-stores.ts";
import { count } from "../../../work/state/words.ts";
import { interruptibleWait } from "../../../work/terminal/interruptible-wait.ts";
import type { Context } from "../../../work/terminal/context.ts";
import type { Output } from "../../../work/terminal/output.ts";
import { bugs as listBugs, bugsResolve as resolveBug, bugsShow as showBug, listOf } from "../bugs.ts";
import type { Bug, BugCommand, ChangeBetween } from "../verbs.ts";
import { watchBugs } from "../watch.ts";

export const bugs: BugCommand<"bugs"> = async (context, options, output) => {
  if (options.watch) return watch(context, output);
  output.progress("Reading what failed");
  const found = await listBugs(context.project, options);
  const now = context.now();
  output.list(
    found,
    found.bugs.map((bug) => row(bug, now)),
    found.closed === 0
      ? "Nothing failed so far."
      : `Nothing is open; ${count(found.closed, "bug")} closed: checkpoint bugs --all`,
  );
  if (found.slips.length > 0) {
    const times = found.slips.reduce((sum, slip) => sum + slip.times, 0);
    output.message(
      `Besides, ${count(times, "command")} failed that check nothing: a wrong path, address or option.`,
    );
  }
  return 0;
};

function row(bug: Bug, now: Date): string[] {
  const status = bug.status === "open" ? [] : [bug.status];
  const where = bug.file ?? "";
  const told = [`${bug.times}×`, ...(bug.returned > 0 ? ["came back"] : []), ...status].join(", ");
  return [
    `#${bug.number}`,
    ago(bug.last_seen, now),
    told,
    bug.tool ?? "other",
    oneLine(where),
    oneLine(bug.title),
  ];
}

/** A line for each problem that comes, comes back or goes. */
async function watch(context: Context, output: Output): Promise<number> {
  const { signal } = interruptibleWait(context);
  // It may outlive the store, which may be restored meanwhile.
  const stores = new OpenStores({ reopens: true });
  let known = new Map<string, string>();
  const tell = (all: readonly Bug[], isFirst = false) => {
    const states = new Map(all.map((bug) => [bug.id, `${bug.status} ${bug.returned}`]));
    for (const bug of all) {
      if (isFirst || known.get(bug.id) === states.get(bug.id)) continue;
      if (output.json) output.document("bugs show", bug);
      else output.raw(`${[...row(bug, context.now())].join("  ")}\n`);
    }
    known = states;
  };
  try {
    const project = { ...context.project, stores };
    const { bugs: all } = listOf(await watchBugs(project), true);
    tell(all, true);
    const open = all.filter(({ status }) => status === "open").length;
    output.message(`Watching what fails; ${count(open, "bug")} open. Ctrl-C ends it.`);
    await watchBugs(project, { follow: true, signal, onBook: (book) => tell(book.bugs) });
  } finally {
    await stores.close();
  }
  return EXIT_STATUS.interrupted;
}

export const bugsShow: BugCommand<"bugs show"> = async ({ project }, options, output) => {
  const bug = await showBug(project, options);
  output.result(bug, () => wordsOf(bug).join("\n"));
};

export const bugsResolve: BugCommand<"bugs resolve"> = async ({ project }, options, output) => {
  const bug = await resolveBug(project, options);
  output.result(bug, `#${bug.number} is closed. It opens again if it comes back.`);
};

function wordsOf(bug: Bug): string[] {
  const { number, title, tool, file, status, times, returned, settled } = bug;
  const back = returned === 0 ? "" : `, came back ${count(returned, "time")}`;
  return [
    `#${number} ${oneLine(title)}`,
    field("id", `${bug.id} (${tool ?? "no parser knows this output"})`),
    ...(file === null ? [] : [field("file", oneLine(file))]),
    field("status", settled === null ? status : `${status} at ${settled.at} by ${oneLine(settled.by)}`),
    ...changeWords("fixed by", settled?.change ?? null),
    field("seen", `${count(times, "time")}${back}, from ${bug.first_seen} to ${bug.last_seen}`),
    field("by", bug.agents.map(oneLine).join(", ")),
    field("trails", bug.trails.map(oneLine).join(", ")),
    field("check", oneLine(bug.check)),
    ...changeWords("since", bug.since),
    ...bug.lines.map((line) => `  | ${oneLine(line)}`),
  ];
}

function changeWords(name: string, change: ChangeBetween | null): string[] {
  const parts = [...(change?.files ?? []), ...(change?.commits ?? []).map((hash) => `commit ${hash}`)];
  return parts.length === 0 ? [] : [field(name, parts.map(oneLine).join(", "))];
}

function field(name: string, value: string): string {
  return `  ${name.padEnd(9)} ${value}`;
}
