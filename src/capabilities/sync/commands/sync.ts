import { EXIT_STATUS, isCheckpointError } from "../../../core/errors.ts";
import * as pulling from "../remotes/pull.ts";
import * as pushing from "../remotes/push.ts";
import { onRemoteMoved } from "../remotes/remote-show.ts";
import * as syncing from "../remotes/sync.ts";
import type { FailedTrail, PulledTrail } from "../remotes/pull-one.ts";
import { oneLine } from "../../../core/text/visible.ts";
import type { SyncCommand } from "../verbs.ts";
import type { Output } from "../../../work/terminal/output.ts";
import { interruptibleWait } from "../../../work/terminal/interruptible-wait.ts";
import { watchRemote } from "../remotes/watch-remote.ts";
import { progressBar } from "../../../work/terminal/progress-bar.ts";
import { bytes, count } from "../../../work/state/words.ts";

export const push: SyncCommand<"push"> = async (context, options, output) => {
  const { remote, trail, full, dryRun } = options;
  const input = { remote, trail, full, dryRun, ...progress(output, "Sent") };
  const result = await pushing.push(context.project, input);
  warnOf(result.failed, output);
  output.result(result, () => pushedText(result.trails) || nothingNew(result.failed));
  return statusOf(result.failed, result.trails);
};

export const pull: SyncCommand<"pull"> = async (context, options, output) => {
  const { remote, trail, join, dryRun } = options;
  const input = { remote, trail, join, dryRun, ...progress(output, "Fetched") };
  const result = await pulling.pull(context.project, input);
  return reportPull(result, output);
};

export const sync: SyncCommand<"sync"> = async (context, options, output) => {
  const { remote, trail, join, dryRun, watch } = options;
  const input = { remote, trail, join, dryRun, ...progress(output, "Brought") };
  const result = await syncing.sync(context.project, input);
  warnOf(result.failed, output);
  const text = () =>
    [pulledText(result.pulled), pushedText(result.pushed)].filter(Boolean).join("\n") ||
    nothingNew(result.failed);
  output.result(result, text);
  if (!watch || dryRun) return statusOf(result.failed, [...result.pulled, ...result.pushed]);

  let hasMoved = false;
  const moves = await onRemoteMoved(context.project, { remote }, () => (hasMoved = true));
  const told = new Set(result.failed.map(warningOf));
  const warnOnce = (warning: string) => {
    if (!told.has(warning)) output.warning(warning);
    told.add(warning);
  };
  /** A remote that is away for a while, or busy, is no reason to stop watching. */
  const patiently = async (work: () => Promise<{ readonly failed: readonly FailedTrail[] }>) => {
    try {
      const { failed } = await work();
      for (const each of failed) warnOnce(warningOf(each));
    } catch (error) {
      if (!isCheckpointError(error, "failed") && !isCheckpointError(error, "conflict")) throw error;
      warnOnce(`${error.message} It is tried again.`);
    }
  };
  output.message("Watching. Ctrl-C ends it.");
  try {
    await watchRemote({
      pause: interruptibleWait(context),
      isTold: () => {
        const wasTold = hasMoved;
        hasMoved = false;
        return wasTold;
      },
      pull: () =>
        patiently(async () => {
          const pulled = await pulling.pullTrails(context.project, input);
          show("pull", pulled, pulledText(pulled.trails), output);
          return pulled;
        }),
      push: () =>
        patiently(async () => {
          const pushed = await pushing.pushTrails(context.project, { ...input, onlyNews: true });
          show("push", pushed, pushedText(pushed.trails), output);
          return pushed;
        }),
    });
  } finally {
    moves.end();
  }
  return EXIT_STATUS.interrupted;
};

export const clone: SyncCommand<"clone"> = async (context, options, output) => {
  const { url, name, encrypt, unsafeSingleWriter } = options;
  const input = { url, name, encrypt, unsafeSingleWriter, ...progress(output, "Fetched") };
  const result = await syncing.clone(context.project, input);
  return reportPull(result, output);
};

function reportPull(result: Awaited<ReturnType<typeof pulling.pull>>, output: Output): number {
  warnOf(result.failed, output);
  const isJoined = result.trails.some(({ outcome }) => outcome === "joined");
  const next = isJoined ? "\nTo share it: checkpoint push" : "";
  output.result(result, () => (pulledText(result.trails) || nothingNew(result.failed)) + next);
  return statusOf(result.failed, result.trails);
}

/** One line, or one document, for each time that something came or went. */
function show(name: "pull" | "push", result: object, text: string, output: Output): void {
  if (text === "") return;
  if (output.json) output.document(name, result);
  else output.raw(`${text}\n`);
}

function progress(output: Output, verb: string) {
  return {
    onProgress: (trail: string, done: number, total: number) =>
      output.progress(
        `${progressBar(done / total)} ${verb} ${done} of ${total} checkpoints of ${oneLine(trail)}`,
      ),
  };
}

/** What could not be brought was said before. */
const nothingNew = (failed: readonly FailedTrail[]) =>
  failed.length === 0 ? "Everything is up to date." : "Nothing else is new.";

function pushedText(trails: readonly pushing.PushedTrail[]): string {
  return trails
    .filter(({ outcome }) => outcome !== "up to date")
    .map(({ trail, outcome, checkpoints, size_bytes, as, kept }) => {
      const name = oneLine(trail);
      if (outcome === "would fetch")
        return `${name} was moved by another machine. A push would bring its line here first.`;
      if (outcome === "diverged")
        return `${name} changed in both places. This line is on the remote as ${oneLine(as)}${kept === null ? "" : `, theirs is here as ${oneLine(kept)}`}.\n  To join them: checkpoint pull --join --trail ${name}`;
      if (outcome === "fast-forwarded") return `${name} was behind, and is up to date now.`;
      const what = `${name}: ${count(checkpoints, "checkpoint")}`;
      if (outcome === "would push") return `${what} would go, ${bytes(size_bytes)}.`;
      return `${what} pushed, ${bytes(size_bytes)}.`;
    })
    .join("\n");
}

function pulledText(trails: readonly PulledTrail[]): string {
  return (
    trails
      .filter(({ outcome }) => outcome !== "up to date" && outcome !== "ahead")
      // This machine's own line under its other name.
      .filter(({ outcome, checkpoints }) => outcome !== "new" || checkpoints > 0)
      .map(({ trail, outcome, checkpoints, machine, kept }) => {
        const name = oneLine(trail);
        const by = machine === null ? "" : ` from ${oneLine(machine)}`;
        if (outcome === "diverged")
          return `${name} changed in both places. It is unchanged; the line${by} is ${oneLine(kept ?? "")}.\n  To join them: checkpoint pull --join --trail ${name}`;
        if (outcome === "joined") return `${name} is joined with the line${by}.`;
        if (outcome === "would pull") return `${name} would be brought${by}.`;
        return `${name}: ${count(checkpoints, "checkpoint")}${by}.`;
      })
      .join("\n")
  );
}

function warnOf(failed: readonly FailedTrail[], output: Output): void {
  for (const each of failed) output.warning(warningOf(each));
}

const warningOf = ({ message, hint }: FailedTrail) => (hint === null ? message : `${message}\n${hint}`);

/** What is damaged weighs more than what clashes, and a line that someone has to join is a clash. */
function statusOf(failed: readonly FailedTrail[], trails: readonly { readonly outcome: string }[]): number {
  const isDiverged = trails.some(({ outcome }) => outcome === "diverged");
  if (failed.length === 0) return isDiverged ? EXIT_STATUS.conflict : 0;
  const [worst] = failed.map(({ code }) => code).toSorted((one) => (one === "corrupt" ? -1 : 1));
  return worst === undefined ? 0 : EXIT_STATUS[worst];
}
