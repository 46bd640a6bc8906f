import * as verbs from "../../project/remotes/remotes.ts";
import { table } from "../columns.ts";
import type { CommandOf } from "../command.ts";
import { ago } from "../../text/time.ts";

export const remoteAdd: CommandOf<"remote add"> = async (context, options, output) => {
  const { name, url, encrypt, unsafeSingleWriter } = options;
  const result = await verbs.remoteAdd(context.project, { name, url, encrypt, unsafeSingleWriter });
  if (unsafeSingleWriter)
    output.warning(`If a second machine pushes to ${name}, the two overwrite each other's work.`);
  if (result.remote.key_id !== null)
    output.message(
      "Sealed. Without its key nobody can read it, not even you. Keep a copy: checkpoint key export > cairn.key",
    );
  output.message("To bring everything there: checkpoint push");
  output.result(result, `Added ${name}: ${url}`);
};

export const remoteList: CommandOf<"remote list"> = async (context, _options, output) => {
  const remotes = await verbs.remotes(context.project);
  if (remotes.length === 0) output.message("No remotes yet: checkpoint remote add NAME URL");
  output.result({ remotes }, () => {
    const rows = remotes.map(({ name, url, key_id, single_writer, synced_at }) => [
      output.style.cyan(name),
      url,
      key_id === null ? "readable" : `sealed, key ${key_id}`,
      synced_at === null ? "never used" : ago(synced_at, context.now()),
      single_writer ? output.style.yellow("one writer only") : "",
    ]);
    return rows.length === 0 ? "" : table(rows, output.columns);
  });
};

export const remoteRemove: CommandOf<"remote remove"> = async (context, options, output) => {
  const result = await verbs.remoteRemove(context.project, options);
  output.result(result, `Forgot ${result.remote.name}. What it keeps stays there.`);
};
