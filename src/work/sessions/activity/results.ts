import type { Activity } from "../../state/activity.ts";
import type { WorkState } from "../../state/work-state.ts";
import { folderOf, withoutFolder } from "../../../core/text/without-folder.ts";
import { covers, uncovered } from "../events/covers.ts";
import type { CallOutcome, StepEntry } from "../events/transcript-entry.ts";

const MOST_CHECKS = 50;
const MOST_FAILED = 24;
const MOST_PASSED = 10;

/** The last result of a command. A failure stays until the same command passes; a wider check that passes settles it. */
export function noteResult(activity: Activity, step: StepEntry, command: string): void {
  const { check, at, lines = [] } = step;
  const ok = step.ok === true;
  const passing = ok ? check : undefined;
  const others = activity.results.filter(
    (each) =>
      !isSameCommand(each.command, command) &&
      !(passing && each.check && isSameCheck(each.check, passing) && isAlone(withoutFolder(each.command))),
  );
  const settled = others.map((each) =>
    passing && !each.ok && each.check ? { ...each, ...passedSince(each.check, passing) } : each,
  );
  // That something else than a check went well is not worth telling.
  const isTold = !ok || check !== undefined;
  const hidden = step.isHidden === true ? { hidden: true as const } : {};
  const result = { command, ok, at, ...(check === undefined ? {} : { check }), ...hidden, lines: [...lines] };
  const all = isTold ? [...settled, result] : settled;
  const failed = all.filter((each) => !each.ok).slice(-MOST_FAILED);
  const passed = all.filter((each) => each.ok).slice(-MOST_PASSED);
  activity.results = all.filter((each) => failed.includes(each) || passed.includes(each));
}

/** What is left of a check that failed once another has passed. */
function passedSince(failed: string, passed: string): { check: string } | { passed_since: string } {
  const check = uncovered(passed, failed);
  return check === undefined ? { passed_since: passed } : { check };
}

/** From two folders that are both named, they are two commands; a path may be relative. */
function isSameCommand(one: string, other: string): boolean {
  if (withoutFolder(one) !== withoutFolder(other)) return false;
  const [a, b] = [folderOf(one), folderOf(other)];
  return a === undefined || b === undefined || a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`);
}

const isSameCheck = (one: string, other: string) => covers(one, other) && covers(other, one);

/** Of several commands in a row, another than the check may be the one that failed. */
function isAlone(command: string): boolean {
  return !/&&|\|\||;|\n/.test(command);
}

/** A failing check stays until it passes, alone or as part of a larger one: `vitest` passes for `vitest a`. */
export function noteCheck(state: WorkState, { check, ok }: CallOutcome): void {
  if (check === undefined || ok === null) return;
  const others = state.checks_failing
    .filter((failing) => failing !== check)
    .flatMap((failing) => (ok && typeof failing === "string" ? (uncovered(check, failing) ?? []) : failing));
  state.checks_failing = ok ? others : [...others, check].slice(-MOST_CHECKS);
}
