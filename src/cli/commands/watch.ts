import { EXIT_STATUS } from "../../errors.ts";
import type { WorkState } from "../../checkpoints/work-state.ts";
import { applySeen, startLooking, type Seen } from "../../capture/look.ts";
import { commitWork } from "../commit.ts";
import type { Context } from "../context.ts";
import { findProject, openToWrite, type OpenedToWrite } from "../open.ts";
import type { Output } from "../output.ts";
import type { OptionsOf } from "../spec.ts";
import type { SAVING } from "../table/saving.ts";
import { count } from "../view/words.ts";

type WatchOptions = OptionsOf<typeof SAVING.watch>;

/** Save every few minutes while something changes */
export async function watch(context: Context, options: WatchOptions, output: Output): Promise<number> {
  const everyMs = options.every ?? 5 * 60_000;
  const opened = await openToWrite(context, options, output);
  const pause = pauses(context);
  let saved = 0;
  output.message(`Watching ${opened.root} every ${Math.round(everyMs / 1000)} s. Ctrl-C ends it.`);
  while (!pause.isOver()) {
    if (await saveIfChanged(context, options, opened, output)) saved++;
    await pause.wait(everyMs);
  }
  await opened.cairn.close();
  output.message(`Stopped: ${count(saved, "checkpoint")} saved.`);
  return EXIT_STATUS.interrupted;
}

/** Waiting that Ctrl-C ends at once. */
function pauses(context: Context) {
  let isOver = false;
  let wake = () => {};
  context.onInterrupt(() => {
    isOver = true;
    wake();
  });
  const wait = async (ms: number) => {
    if (isOver) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    wake = resolve;
    await promise;
    clearTimeout(timer);
  };
  return { isOver: () => isOver, wait };
}

async function saveIfChanged(
  context: Context,
  options: WatchOptions,
  opened: OpenedToWrite,
  output: Output,
): Promise<boolean> {
  const { cairn, trail, settings } = opened;
  const looking = startLooking(context, findProject(context), (text) => output.warning(text));
  const before = (await cairn.store.head(trail.name)) === undefined ? undefined : (await trail.load()).state;
  const seen = await looking.finish(settings, before?.workspace);
  const { info } = await commitWork(
    { context, trail, settings, output },
    {
      fresh: seen,
      change: (state, fresh) => applyNews(state, fresh, context.now()),
      agent: options.agent,
      trigger: "watch",
      ifChanged: true,
    },
  );
  if (info.unchanged) return false;
  // A stream: one line, or one document, for each checkpoint.
  if (output.json) output.document("watch", { checkpoint: info });
  else output.raw(`${info.checkpoint_id}\n`);
  return true;
}

/** The state with what was seen, or as it was: services that answer a little slower are no news. */
function applyNews(state: WorkState, seen: Seen, now: Date): WorkState {
  const before = structuredClone(state);
  applySeen(state, seen, now);
  return withoutTimes(state) === withoutTimes(before) ? before : state;
}

function withoutTimes({ dependencies, ...state }: WorkState): string {
  const lasting = (dependencies ?? []).map(
    ({ last_checked: _checked, latency_ms: _latency, ...rest }) => rest,
  );
  return JSON.stringify({ ...state, dependencies: lasting });
}
