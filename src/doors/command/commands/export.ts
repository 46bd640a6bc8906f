import { constants } from "node:fs";
import { open, unlink } from "node:fs/promises";
import { resolve } from "node:path";
import { CheckpointError } from "../../../core/errors.ts";
import type { Trail } from "../../../core/trails/trail.ts";
import type { WorkState } from "../../../work/state/work-state.ts";
import { flatten } from "../../../core/trails/transfer/flat-document.ts";
import { archiveOf } from "../../../work/terminal/transcript-archive.ts";
import type { CommandOf, CommandOptions } from "../command.ts";
import type { Context } from "../../../work/terminal/context.ts";
import { readTrail } from "../../../work/project/choose-trail.ts";
import type { Output } from "../../../work/terminal/output.ts";
import { bytes } from "../../../work/state/words.ts";

type ExportOptions = CommandOptions<"export">;

const exportCheckpoint: CommandOf<"export"> = async (context, options, output) => {
  const { pieces, trail } = await chosen(context, options, output);
  if (options.output === undefined) {
    for await (const piece of pieces) output.raw(piece);
    return;
  }
  const path = resolve(context.cwd, options.output);
  const sizeBytes = await writeNew(path, pieces);
  output.result(
    { file: path, bytes: sizeBytes, trail, history: options.history },
    `Wrote ${path} (${bytes(sizeBytes)}).`,
  );
};

export { exportCheckpoint as export };

/** What is exported, piece by piece, and the trail that it is from. */
async function chosen(
  { project }: Context,
  { id, history, transcript, trail: named }: ExportOptions,
  output: Output,
): Promise<{ pieces: AsyncIterable<string | Uint8Array>; trail: string }> {
  if (id !== undefined && history) throw usage("--history exports a whole trail, so it takes no id.");
  if (transcript !== undefined) {
    if (id !== undefined || history || named !== undefined)
      throw usage("--transcript names what to export, so nothing else does.");
    const cairn = await project.stores.open(project, "read");
    const archive = await archiveOf(project);
    const trail = await archive.findTranscript(cairn, transcript);
    return { pieces: archive.transcriptPieces(cairn, trail), trail };
  }
  const { cairn, trail } = await readTrail(project, named, id);
  if (!history) return { pieces: documentPieces(trail, id), trail: trail.name };
  const { exportTrail } = await import("../../../core/trails/transfer/export-trail.ts");
  const onProgress = (done: number, total: number) =>
    output.progress(`Wrote ${done} of ${total} checkpoints`);
  return { pieces: exportTrail(cairn.store, trail.name, { onProgress }), trail: trail.name };
}

async function* documentPieces(trail: Trail<WorkState>, id: string | undefined): AsyncGenerator<string> {
  yield `${JSON.stringify(flatten(await trail.load(id)), null, 2)}\n`;
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
    await unlink(path);
    throw error;
  }
}

function usage(message: string): CheckpointError {
  return new CheckpointError("usage", message, { hint: "checkpoint export --help" });
}

function alreadyThere(path: string): CheckpointError {
  return new CheckpointError("conflict", `There is already a file "${path}".`, {
    hint: "Choose another name after --output.",
    details: { path },
  });
}
