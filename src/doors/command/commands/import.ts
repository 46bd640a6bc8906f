import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { CheckpointError } from "../../../core/errors.ts";
import * as verbs from "../../../work/project/maintenance/import.ts";
import { CLIENT_NAMES, CLIENTS } from "../../../work/clients/clients.ts";
import { archiveOf, type ImportOptions } from "../../../work/terminal/transcript-archive.ts";
import type { CommandOf } from "../command.ts";
import type { Context } from "../../../work/terminal/context.ts";
import { count } from "../../../work/state/words.ts";

const importFile: CommandOf<"import"> = async (context, options, output) => {
  const client = CLIENT_NAMES.find((name) => name === options.file && CLIENTS[name].isImportable);
  if (client !== undefined) {
    const archive = await archiveOf(context.project);
    return archive.importTranscripts(context, client, options, output);
  }
  refuseSessionOptions(options);
  const { trail, as, trust } = options;
  const opened = await openInput(context, options.file);
  const onProgress = (done: number, total: number) => output.progress(`Read ${done} of ${total} checkpoints`);
  const result = await verbs.importFile(context.project, { ...opened, trail, as, trust, onProgress });
  if (result.format === "trail") {
    const words = `${count(result.checkpoints, "checkpoint")} of trail ${result.trail}`;
    const text = result.was_there
      ? `${words} were there already; nothing was changed.`
      : `Imported ${words}.`;
    return output.result(result, text);
  }
  const { isComplete, ...document } = result;
  const { checkpoint, run } = document;
  if (run !== null) {
    const goOn = `What its steps run was not in the file.\nTo continue, with a workflow whose steps have the same names: checkpoint resume ${run} --workflow FILE`;
    const look = `All its steps are done.\nTo look at it: checkpoint runs show ${run}`;
    output.message(`Imported ${opened.source} as run ${run}. ${isComplete ? look : goOn}`);
    return output.result(document, checkpoint.checkpoint_id);
  }
  const way = checkpoint.parent_hash === null ? "" : " checkpoint undo reverts it.";
  output.message(`Imported ${opened.source} into ${checkpoint.trail}.${way}`);
  output.result(document, checkpoint.checkpoint_id);
};

export { importFile as import };

function refuseSessionOptions({ session, since, all, dryRun }: ImportOptions): void {
  const [typed] = [session && "--session", since && "--since", all && "--all", dryRun && "--dry-run"].filter(
    Boolean,
  );
  if (typed === undefined) return;
  throw new CheckpointError("usage", `${typed} is for sessions of agent clients, not for a file.`, {
    hint: "checkpoint import claude --dry-run",
  });
}

async function openInput(
  context: Context,
  file: string,
): Promise<Pick<verbs.ImportInput, "source" | "read" | "folder">> {
  if (file === "-") {
    const bytes = await context.readInput();
    return { source: "stdin", read: () => piece(bytes) };
  }
  const path = resolve(context.cwd, file);
  const found = await stat(path);
  if (found.isDirectory()) {
    throw new CheckpointError("usage", `"${path}" is a folder, not a file.`, {
      hint: "checkpoint import --help",
    });
  }
  if (!found.isFile()) {
    throw new CheckpointError("usage", `"${path}" is a pipe, a socket or a device, not a file.`, {
      hint: "From a pipe: … | checkpoint import -",
    });
  }
  return { source: basename(path), folder: dirname(path), read: () => createReadStream(path) };
}

async function* piece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
