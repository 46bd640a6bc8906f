import type { Activity } from "../../state/activity.ts";
import type { WorkState } from "../../state/work-state.ts";
import { withoutFolder } from "../../../core/text/without-folder.ts";
import { covers } from "../events/checks.ts";
import type { CheckResult } from "../events/session-event.ts";
import type { StepEntry } from "../events/transcript-entry.ts";

const MOST_CHECKS = 50;
const MOST_FAILED = 24;
const MOST_PASSED = 10;

/** The last result of a command. A failure stays until the same command passes; a wider check that passes settles it. */
export function noteResult(activity: Activity, step: StepEntry, command: string): void {
  const { check, at, lines = [] } = step;
  const ok = step.ok === true;
  const same = withoutFolder(command);
  const passing = ok ? check : undefined;
  const others = activity.results.filter(
    (each) =>
      withoutFolder(each.command) !== same &&
      !(passing && each.check === passing && isAlone(withoutFolder(each.command))),
  );
  const settled = others.map((each) =>
    passing && !each.ok && each.check && covers(passing, each.check)
      ? { ...each, passed_since: passing }
      : each,
  );
  // That something else than a check went well is not worth telling.
  const isTold = !ok || check !== undefined;
  const result = { command, ok, at, ...(check === undefined ? {} : { check }), lines: [...lines] };
  const all = isTold ? [...settled, result] : settled;
  const failed = all.filter((each) => !each.ok).slice(-MOST_FAILED);
  const passed = all.filter((each) => each.ok).slice(-MOST_PASSED);
  activity.results = all.filter((each) => failed.includes(each) || passed.includes(each));
}

/** Of several commands in a row, another than the check may be the one that failed. */
function isAlone(command: string): boolean {
  return !/&&|\|\||;|\n/.test(command);
}

/** A failing check stays until it passes, alone or as part of a larger one: `vitest` passes for `vitest a`. */
export function noteCheck(state: WorkState, { check, ok }: CheckResult): void {
  const others = state.checks_failing.filter(
    (failing) => failing !== check && !(ok && typeof failing === "string" && covers(check, failing)),
  );
  state.checks_failing = ok ? others : [...others, check].slice(-MOST_CHECKS);
}
