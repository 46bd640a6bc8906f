import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import type { CheckpointInfo } from "../../checkpoints/document.ts";
import { importTrigger, mergeImport } from "../../checkpoints/transfer/import-document.ts";
import { importTrail } from "../../checkpoints/transfer/import-trail.ts";
import { readImport } from "../../checkpoints/transfer/read-import.ts";
import { isTrailFile } from "../../checkpoints/transfer/trail-file.ts";
import { CheckpointError } from "../../errors.ts";
import { refuseRun } from "../../project/choose-trail.ts";
import { commitWork } from "../../project/commit-work.ts";
import type { CommandOf } from "../command.ts";
import type { Context } from "../context.ts";
import type { Output } from "../output.ts";
import type { OptionsOf } from "../spec.ts";
import type { KEEPING } from "../table/keeping.ts";
import { count } from "../view/words.ts";
import { rememberImport } from "../../project/trust.ts";
import { RUN_TRAIL_PREFIX } from "../../workflow/run/run-state.ts";

export type ImportOptions = OptionsOf<typeof KEEPING.import>;

/** A single document is read into memory. */
const MAX_DOCUMENT_BYTES = 256 * 2 ** 20;

/** What is imported: a name for messages, and its bytes, as often as they are asked for. */
interface Input {
  readonly source: string;
  readonly read: () => AsyncIterable<Uint8Array>;
}

/** Read a checkpoint or a trail from a file */
export const importFile: CommandOf<typeof KEEPING.import> = async (context, options, output) => {
  if (options.file === "claude" || options.file === "codex") {
    const { importTranscripts } = await import("./import-transcripts.ts");
    return importTranscripts(context, options.file, options, output);
  }
  refuseSessionOptions(options);
  const input = await openInput(context, options.file);
  const beginning = await take(input.read(), 64);
  if (isTrailFile(beginning.toString("utf8"))) return importWholeTrail(context, options, input, output);
  return importDocument(context, options, input, output);
};

function refuseSessionOptions({ session, since, all, dryRun }: ImportOptions): void {
  const [typed] = [session && "--session", since && "--since", all && "--all", dryRun && "--dry-run"].filter(
    Boolean,
  );
  if (typed === undefined) return;
  throw new CheckpointError("usage", `${typed} is for sessions of agent clients, not for a file.`, {
    hint: "checkpoint import claude --dry-run",
  });
}

async function openInput(context: Context, file: string): Promise<Input> {
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
  return { source: basename(path), read: () => createReadStream(path) };
}

async function* piece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function take(chunks: AsyncIterable<Uint8Array>, limitBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    sizeBytes += chunk.length;
    if (sizeBytes > limitBytes) break;
  }
  return Buffer.concat(parts);
}

async function importWholeTrail(
  context: Context,
  options: ImportOptions,
  { source, read }: Input,
  output: Output,
): Promise<void> {
  const project = context.project;
  if (options.trail !== undefined) refuseRun(options.trail);
  const cairn = await project.stores.open(project, "create");
  const result = await importTrail(cairn.store, read, {
    source,
    now: context.now(),
    as: options.as ?? options.trail,
    trust: options.trust,
    onProgress: (done, total) => output.progress(`Read ${done} of ${total} checkpoints`),
  });
  output.progress("");
  const { trail, checkpoints, wasThere } = result;
  if (trail.startsWith(RUN_TRAIL_PREFIX) && !wasThere)
    await rememberImport(project, { ...project, cairn }, trail.slice(RUN_TRAIL_PREFIX.length));
  const words = `${count(checkpoints, "checkpoint")} of trail ${trail}`;
  output.result(
    { format: "trail", trail, head: result.head, checkpoints, was_there: wasThere },
    wasThere ? `${words} were there already; nothing was changed.` : `Imported ${words}.`,
  );
}

async function importDocument(
  context: Context,
  options: ImportOptions,
  { source, read }: Input,
  output: Output,
): Promise<void> {
  const bytes = await take(read(), MAX_DOCUMENT_BYTES);
  if (bytes.length > MAX_DOCUMENT_BYTES) {
    throw new CheckpointError("usage", `"${source}" is too large for a single checkpoint.`, {
      hint: "checkpoint help format",
    });
  }
  const imported = readImport(bytes.toString("utf8"), {
    source,
    now: context.now(),
    trust: options.trust,
  });
  const { checkpoint } = await commitWork(context.project, {
    trail: options.as ?? options.trail,
    trigger: importTrigger(options.trust),
    notes: imported.notes,
    fresh: imported,
    isImport: true,
    change: mergeImport,
  });
  const info = checkpoint as CheckpointInfo;
  const way = info.parent_hash === null ? "" : " checkpoint undo takes it back.";
  output.message(`Imported ${source} into ${info.trail}.${way}`);
  output.result({ format: imported.format, proven: imported.proven, checkpoint: info }, info.checkpoint_id);
}
