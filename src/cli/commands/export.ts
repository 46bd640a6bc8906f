import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { CheckpointError } from "../../errors.ts";
import { flatten } from "../../checkpoints/transfer/flat-document.ts";
import type { CommandOf } from "../command.ts";
import type { Context } from "../context.ts";
import { readTrail, type ReadTrail } from "../../project/choose-trail.ts";
import type { Output } from "../output.ts";
import type { OptionsOf } from "../spec.ts";
import type { KEEPING } from "../table/keeping.ts";
import { bytes } from "../view/words.ts";

type ExportOptions = OptionsOf<typeof KEEPING.export>;

/** Write a checkpoint or a whole trail to a file */
const exportCheckpoint: CommandOf<typeof KEEPING.export> = async (context, options, output) => {
  const { id, history } = options;
  if (id !== undefined && history) {
    throw new CheckpointError("usage", "--history exports a whole trail, so it takes no id.", {
      hint: "checkpoint export --help",
    });
  }
  if (options.transcript !== undefined) return exportTranscript(context, options, output);
  const opened = await readTrail(context.project, options.trail);
  const pieces = history ? await historyPieces(opened, output) : documentPieces(opened, id);
  await writeOut(pieces, { context, options, output, trail: opened.trail.name });
};

export { exportCheckpoint as export };

async function exportTranscript(context: Context, options: ExportOptions, output: Output): Promise<void> {
  const { id, history, trail, transcript = "" } = options;
  if (id !== undefined || history || trail !== undefined) {
    throw new CheckpointError("usage", "--transcript names what to export, so nothing else does.", {
      hint: "checkpoint export --help",
    });
  }
  const project = context.project;
  const cairn = await project.stores.open(project, "read");
  const { findTranscript, transcriptPieces } =
    await import("../../integrations/transcripts/export-transcript.ts");
  const found = await findTranscript(cairn, transcript);
  await writeOut(transcriptPieces(cairn, found), { context, options, output, trail: found });
}

interface Destination {
  readonly context: Context;
  readonly options: ExportOptions;
  readonly output: Output;
  readonly trail: string;
}

async function writeOut(
  pieces: AsyncIterable<string | Uint8Array>,
  { context, options, output, trail }: Destination,
): Promise<void> {
  if (options.output === undefined) {
    for await (const piece of pieces) output.raw(piece);
    return;
  }
  const path = resolve(context.cwd, options.output);
  const sizeBytes = await writeNew(path, pieces);
  output.progress("");
  output.result(
    { file: path, bytes: sizeBytes, trail, history: options.history },
    `Wrote ${path} (${bytes(sizeBytes)}).`,
  );
}

async function* documentPieces({ trail }: ReadTrail, id: string | undefined): AsyncGenerator<string> {
  yield `${JSON.stringify(flatten(await trail.load(id)), null, 2)}\n`;
}

async function historyPieces({ cairn, trail }: ReadTrail, output: Output): Promise<AsyncGenerator<string>> {
  const { exportTrail } = await import("../../checkpoints/transfer/export-trail.ts");
  const onProgress = (done: number, total: number) =>
    output.progress(`Wrote ${done} of ${total} checkpoints`);
  return exportTrail(cairn.store, trail.name, { onProgress });
}

/** Writes a file that was not there before, for its owner alone, and leaves nothing half-written behind. */
async function writeNew(path: string, pieces: AsyncIterable<string | Uint8Array>): Promise<number> {
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600).catch(
    (error: unknown) => {
      throw (error as NodeJS.ErrnoException).code === "EEXIST" ? alreadyThere(path) : error;
    },
  );
  let sizeBytes = 0;
  try {
    for await (const piece of pieces) {
      const data = typeof piece === "string" ? Buffer.from(piece) : piece;
      await file.writeFile(data);
      sizeBytes += data.length;
    }
    await file.sync();
    await file.close();
    return sizeBytes;
  } catch (error) {
    await file.close();
    await (await import("node:fs/promises")).unlink(path);
    throw error;
  }
}

function alreadyThere(path: string): CheckpointError {
  return new CheckpointError("conflict", `There is already a file "${path}".`, {
    hint: "Choose another name after --output.",
    details: { path },
  });
}
