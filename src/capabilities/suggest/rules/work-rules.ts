import { shellWord } from "../../../core/text/shell-word.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { asList, isRecord, own, textOf } from "../../../core/text/untrusted.ts";
import { isTaskOver } from "../../../work/state/tasks.ts";
import { count } from "../../../work/state/words.ts";
import type { SuggestionRule } from "../rule.ts";

const DAY_MS = 86_400_000;
const STALE_DAYS = 3;
const LONGEST_PLAN_NAMED = 3;

/** What the work state itself shows. */
export const WORK_RULES: readonly SuggestionRule[] = [
  {
    id: "open-approval",
    about:
      "A step of high risk runs as soon as the steps before it are done, unless a person is asked first.",
    find: ({ state, isGoverned, trail }) => {
      const steps = isGoverned || own(state.run, "status") === "completed" ? [] : stepsOf(state.run);
      return steps
        .filter((step) => own(step, "risk") === "high" && !isApproved(step, steps))
        .map((step) => ({
          key: textOf(step, "id") ?? "",
          reason: `Step "${oneLine(textOf(step, "id") ?? "")}" is of high risk, and no approval stands before it.`,
          command: `checkpoint runs show ${shellWord(trail.replace("run/", ""))}`,
          evidence: [{ what: `risk: high, step ${textOf(step, "id")}` }],
        }));
    },
  },
  {
    id: "dropped-rules",
    about:
      "An agent keeps the rules that it is told. A briefing has limits: of rules that do not fit it tells the beginning, or nothing.",
    find: ({ droppedRules: dropped, trail }) =>
      dropped.length === 0
        ? []
        : [
            {
              key: "",
              reason: `A briefing has no room for all of ${count(dropped.length, "rule")} of this trail: shorten some, or take some back.`,
              command: `checkpoint status --trail ${shellWord(trail)}`,
              evidence: dropped.map((what) => ({ what })),
            },
          ],
  },
  {
    id: "open-plan",
    about: "The session is over, and its plan is not: the next one can take it up, or you can close it.",
    find: ({ state, isQuiet, trail }) => {
      const open = state.tasks.filter((task) => !isTaskOver(task));
      if (!trail.startsWith("session/") || !isQuiet || open.length === 0) return [];
      const named = open.slice(0, LONGEST_PLAN_NAMED).map(({ subject }) => `"${oneLine(subject)}"`);
      const more = open.length > LONGEST_PLAN_NAMED ? " …" : "";
      return [
        {
          key: "",
          reason: `The session stopped with ${open.length} of ${count(state.tasks.length, "task")} open: ${named.join(", ")}${more}`,
          command: `checkpoint summary --trail ${shellWord(trail)}`,
          evidence: open.map(({ subject, status, at }) => ({ what: `${status}: ${subject}`, at })),
        },
      ];
    },
  },
  {
    id: "unowned-blocker",
    about: "A blocker that has no owner after a day tends to stay.",
    find: ({ state, trail, now }) => {
      const isOld = ({ at }: { readonly at?: string }) => daysSince(at, now) >= 1;
      // One that waits for another task is not stuck by itself.
      const blocked = state.tasks.filter(
        ({ status, owner, blocked_by }) => status === "blocked" && owner === null && blocked_by.length === 0,
      );
      const isWorkedOn = state.tasks.some((task) => !isTaskOver(task) && task.owner !== null);
      const found = [
        ...blocked.filter(isOld).map(({ subject, at }) => ({ what: `blocked task: ${subject}`, at })),
        ...(isWorkedOn
          ? []
          : state.blockers.filter(isOld).map(({ text, at }) => ({ what: `blocker: ${text}`, at }))),
      ];
      if (found.length === 0) return [];
      return [
        {
          key: "",
          reason: `${count(found.length, "blocker")} without an owner, the oldest: ${oneLine(found[0]!.what)}.`,
          command: `checkpoint status --trail ${shellWord(trail)}`,
          evidence: found,
        },
      ];
    },
  },
  {
    id: "stale-task",
    about: "A task that is in progress for days is done, stuck or forgotten; its list should say which.",
    find: (facts) =>
      facts.trail.startsWith("session/")
        ? []
        : facts.state.tasks
            .filter((task) => task.status === "in_progress" && daysSince(task.at, facts.now) >= STALE_DAYS)
            .map((task) => ({
              key: task.id,
              reason: `Task ${task.id}, "${oneLine(task.subject)}", is in progress and has not changed for ${daysSince(task.at, facts.now)} days.`,
              command: `checkpoint task list --trail ${shellWord(facts.trail)}`,
              evidence: [{ what: task.subject, at: task.at }],
            })),
  },
];

function daysSince(at: string | undefined, now: Date): number {
  const since = Date.parse(at ?? "");
  return Number.isNaN(since) ? 0 : Math.floor((now.getTime() - since) / DAY_MS);
}

function stepsOf(run: unknown): readonly unknown[] {
  return asList(own(run, "definition")).filter(isRecord);
}

/** Whether a step waits, however indirectly, for a person's answer. */
function isApproved(step: unknown, steps: readonly unknown[]): boolean {
  const reached = new Set(asList(own(step, "needs")));
  // A set is iterated in the order of insertion, those added meanwhile included.
  for (const id of reached) {
    const needed = steps.find((each) => own(each, "id") === id);
    if (own(needed, "kind") === "approval") return true;
    for (const before of asList(own(needed, "needs"))) reached.add(before);
  }
  return false;
}
