import { suggestion } from "../remotes/known-remotes.ts";
import { remoteShow as show } from "../remotes/remote-show.ts";
import * as verbs from "../remotes/remotes.ts";
import { settingsOf } from "../../../work/project/settings/settings.ts";
import type { SyncCommand } from "../verbs.ts";
import { ago } from "../../../core/text/time.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { checkpointDocument, checkpointText } from "../../../work/terminal/checkpoint.ts";

export const remoteAdd: SyncCommand<"remote add"> = async (context, options, output) => {
  const { name, url, encrypt, vault, unsafeSingleWriter } = options;
  const result = await verbs.remoteAdd(context.project, { name, url, encrypt, vault, unsafeSingleWriter });
  if (unsafeSingleWriter)
    output.warning(`If a second machine pushes to ${name}, the two overwrite each other's work.`);
  if (result.remote.key_id !== null)
    output.message(
      "Sealed. Without its key no one can read it, not even you. Keep a copy: checkpoint key export > cairn.key",
    );
  output.message("To bring everything there: checkpoint push");
  output.result(result, `Added ${name}: ${oneLine(result.remote.url)}`);
};

export const remoteList: SyncCommand<"remote list"> = async (context, _options, output) => {
  const remotes = await verbs.remotes(context.project);
  const rows = remotes.map(({ name, url, key_id, single_writer, synced_at }) => [
    output.style.cyan(name),
    url,
    key_id === null ? "readable" : `sealed, key ${key_id}`,
    synced_at === null ? "never used" : ago(synced_at, context.now()),
    single_writer ? output.style.yellow("one writer only") : "",
  ]);
  const { remotes: suggested } = await settingsOf(context.project);
  const none = ["No remotes yet: checkpoint remote add NAME URL", ...suggested.map(suggestion)].join("\n");
  output.list({ remotes }, rows, none);
};

export const remoteRemove: SyncCommand<"remote remove"> = async (context, options, output) => {
  const result = await verbs.remoteRemove(context.project, options);
  output.result(result, `Forgot ${result.remote.name}. What it keeps stays there.`);
};

export const remoteShow: SyncCommand<"remote show"> = async (context, { trail, remote, confirm }, output) => {
  const { checkpoint, ...shown } = await show(context.project, { trail, remote, confirm });
  const { state, ...info } = checkpoint;
  const when = ago(shown.pushed_at, context.now());
  if (!shown.is_confirmed)
    output.message(
      `From the cache, pushed by ${oneLine(shown.machine)} ${when}. Still the newest? --confirm`,
    );
  if (output.json) return output.result({ ...shown, checkpoint: await checkpointDocument(info, state) }, "");
  output.result({}, checkpointText(info, state, { now: context.now(), output }));
};
