import { EXIT_STATUS } from "../../../core/errors.ts";
import { ago } from "../../../core/text/time.ts";
import { shellWord } from "../../../core/text/shell-word.ts";
import { describe } from "../../../core/text/untrusted.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { openFeed } from "../../../work/project/feed/feed.ts";
import type { FeedEvent } from "../../../work/project/feed/feed-event.ts";
import { OpenStores } from "../../../work/project/open-stores.ts";
import { interruptibleWait } from "../../../work/terminal/interruptible-wait.ts";
import type { Output } from "../../../work/terminal/output.ts";
import type { CommandOf } from "../command.ts";

export const events: CommandOf<"events"> = async (context, options, output) => {
  const { as, after, only, follow } = options;
  const { signal } = interruptibleWait(context);
  // Like a server it may outlive the store, which may be restored meanwhile.
  const stores = follow ? new OpenStores({ reopens: true }) : context.project.stores;
  const kinds = only === undefined ? undefined : [only];
  let last: FeedEvent | undefined;
  try {
    const feed = await openFeed({ ...context.project, stores }, { as, after, kinds, follow, signal });
    for await (const event of feed) {
      if (signal.aborted) break;
      last = event;
      output.part(event, line(event, context.now(), output));
    }
  } finally {
    if (follow) await stores.close();
  }
  if (last === undefined && !follow) output.message("No event matches.");
  if (last !== undefined && as !== undefined && !output.json)
    output.message(`To acknowledge these: checkpoint events ack ${shellWord(last.cursor)} --as ${as}`);
  return signal.aborted ? EXIT_STATUS.interrupted : 0;
};

function line(event: FeedEvent, now: Date, { style }: Output): string {
  const { at, trail, kind, type } = event;
  // The beginning of a session's id is enough for every command.
  const short = trail?.replace(/^(session\/[0-9a-f]{8})-[0-9a-f-]{27}/, "$1") ?? null;
  const where = short === null ? "" : `  ${style.cyan(oneLine(short))}`;
  return `${style.dim(ago(at, now))}  ${kind === "notice" ? style.yellow(type) : type}${where}  ${oneLine(said(event))}`;
}

function said(event: FeedEvent): string {
  if (event.kind === "commit") {
    const { checkpoint_id, trigger, notes } = event.checkpoint;
    return [checkpoint_id, trigger, notes ?? ""].join("  ").trimEnd();
  }
  if (event.kind === "session") return event.client ?? "";
  if (event.kind === "breaker") return event.dependency;
  return event.kind === "notice" ? event.message : describe(event.details, 300);
}
