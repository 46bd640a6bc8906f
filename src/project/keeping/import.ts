import { createHash } from "node:crypto";
import type { CheckpointInfo } from "../../checkpoints/document.ts";
import { importTrigger, mergeImport } from "../../checkpoints/transfer/merge-import.ts";
import { importTrail } from "../../checkpoints/transfer/import-trail.ts";
import { readImport, type Imported } from "../../checkpoints/transfer/read-import.ts";
import { isTrailFile } from "../../checkpoints/transfer/trail-file.ts";
import { CheckpointError } from "../../errors.ts";
import { RUN_TRAIL_PREFIX } from "../../workflow/run/run-state.ts";
import { chooseTrail, refuseGovernance, refuseOwned } from "../choose-trail.ts";
import { commitWork } from "../commit-work.ts";
import type { Project } from "../project.ts";
import { rememberImport } from "../trust.ts";
import { findArtifacts, importAsRun } from "./import-as-run.ts";

/** A single document is read into memory. */
const MAX_DOCUMENT_BYTES = 256 * 2 ** 20;

export interface ImportInput {
  /** A name for messages and for what is recorded. */
  readonly source: string;
  /** The bytes, as often as they are asked for. */
  readonly read: () => AsyncIterable<Uint8Array>;
  /** Where the file is: artifacts that it names are looked for beside it. */
  readonly folder?: string | undefined;
  readonly trail?: string | undefined;
  /** Into a trail of this name. */
  readonly as?: string | undefined;
  /** Believes what the file says of who recorded what. */
  readonly trust: boolean;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Imports a file: a trail with its history, or a single document in any of the known formats. */
export async function importFile(project: Project, input: ImportInput) {
  const beginning = await take(input.read(), 64);
  return isTrailFile(beginning.toString("utf8"))
    ? importWholeTrail(project, input)
    : importDocument(project, input);
}

async function importWholeTrail(project: Project, input: ImportInput) {
  const { source, read, trail: named, as = named, trust, onProgress } = input;
  if (named !== undefined) refuseOwned(named);
  const cairn = await project.stores.open(project, "create", "keep.import");
  const now = project.now();
  const options = { source, now, as, trust, onProgress, assertName: refuseGovernance };
  const found = await importTrail(cairn.store, read, options);
  const { trail, head, checkpoints, wasThere: was_there } = found;
  if (trail.startsWith(RUN_TRAIL_PREFIX) && !was_there)
    await rememberImport({ ...project, cairn }, trail.slice(RUN_TRAIL_PREFIX.length));
  return { format: "trail" as const, trail, head, checkpoints, was_there };
}

async function importDocument(project: Project, input: ImportInput) {
  const { source, trust, trail } = input;
  const bytes = await take(input.read(), MAX_DOCUMENT_BYTES);
  if (bytes.length > MAX_DOCUMENT_BYTES) {
    throw new CheckpointError("usage", `"${source}" is too large for a single checkpoint.`, {
      hint: "checkpoint help format",
    });
  }
  const imported = readImport(bytes.toString("utf8"), { source, now: project.now(), trust });
  const artifacts = findArtifacts(project, imported, input.folder);
  const isFree = (input.as ?? trail) === undefined && chooseTrail(project, undefined).by === "default";
  if (isFree) {
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const record = { source, at: project.now().toISOString(), sha256, trusted: trust };
    const made = await importAsRun(project, { imported, artifacts, record });
    if (made) return { ...made, format: imported.format, proven: false };
  }
  const { format, proven, notes } = imported;
  const { checkpoint } = await commitWork(project, {
    trail: input.as ?? trail ?? (isFree ? trailOfWorkflow(imported) : undefined),
    trigger: importTrigger(trust),
    notes,
    fresh: imported,
    savedBy: (fresh) => fresh,
    isImport: true,
    change: mergeImport,
  });
  return { format, proven, checkpoint: checkpoint as CheckpointInfo, run: null, isComplete: false };
}

/** A workflow of another tool gets a trail of its own: several in one would be taken for one. */
function trailOfWorkflow({ parts }: Imported): string | undefined {
  const id = parts?.variables?.["workflow_id"];
  return typeof id === "string" && /^[\w-][\w.-]{0,99}$/.test(id) ? `workflow/${id}` : undefined;
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
