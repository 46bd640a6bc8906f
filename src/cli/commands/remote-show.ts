import * as verbs from "../../project/remotes/remote-show.ts";
import { oneLine } from "../../text/visible.ts";
import type { CommandOf } from "../command.ts";
import { checkpointDocument, checkpointText } from "../view/checkpoint.ts";
import { ago } from "../../text/time.ts";

export const remoteShow: CommandOf<"remote show"> = async (context, { trail, remote, confirm }, output) => {
  const { checkpoint, ...shown } = await verbs.remoteShow(context.project, { trail, remote, confirm });
  const { state, ...info } = checkpoint;
  const when = ago(shown.pushed_at, context.now());
  if (!shown.is_confirmed)
    output.message(
      `From the cache, pushed by ${oneLine(shown.machine)} ${when}. Still the newest? --confirm`,
    );
  if (output.json) return output.result({ ...shown, checkpoint: await checkpointDocument(info, state) }, "");
  output.result({}, checkpointText(info, state, { now: context.now(), output }));
};
