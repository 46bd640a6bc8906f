import { createHash } from "node:crypto";
import { join } from "node:path";
import { readBounded } from "../../machine/read-bounded.ts";
import { isTaskOver } from "../../state/tasks.ts";
import type { Task } from "../../state/work-state.ts";
import { count } from "../../state/words.ts";
import type { CheckpointInfo } from "../../../core/trails/document.ts";
import { importTrigger, mergeImport } from "../../import/merge-import.ts";
import { importTrail } from "../../import/import-trail.ts";
import { readImport, type Imported } from "../../import/read-import.ts";
import { isTrailFile } from "../../../core/trails/transfer/trail-file.ts";
import { CheckpointError } from "../../../core/errors.ts";
import { RUN_TRAIL_PREFIX } from "../../state/run-trail.ts";
import { chooseTrail, refuseGovernance, refuseOwned } from "../choose-trail.ts";
import { commitWork } from "../commit-work.ts";
import type { Project } from "../project.ts";
import { rememberImport } from "../trust.ts";
import { findPart } from "../capability.ts";
import { findArtifacts } from "./imported-artifacts.ts";
import { topOfState } from "./imported-files.ts";
import { withManifest } from "./manifest.ts";
import { withRecoveredTasks } from "./recover-tasks.ts";
import { withDone, withResumePoint } from "./resume-point.ts";

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
  const read = readImport(bytes.toString("utf8"), { source, now: project.now(), trust });
  const { imported, top } = await lookAround(project, read, input);
  const artifacts = findArtifacts(project, imported, top);
  const isFree = (input.as ?? trail) === undefined && chooseTrail(project, undefined).by === "default";
  if (isFree) {
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const record = { source, at: project.now().toISOString(), sha256, trusted: trust };
    const runs = await findPart(project, "runs");
    const made = await runs?.importPipeline(project, { imported, artifacts, record });
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

/** What a file of another tool means, together with the files around it. */
async function lookAround(
  project: Project,
  read: Imported,
  input: ImportInput,
): Promise<{ readonly imported: Imported; readonly top: string | undefined }> {
  const { folder } = input;
  if (read.pipeline?.unit === "agent") return { imported: withManifest(project, read, folder), top: folder };
  const top = topOfState(project.root, folder);
  for (const problem of read.pipeline?.problems ?? []) project.notices.warning(problem);
  const tasks = await importTasks(project, read, input);
  const { pipeline } = read;
  if (pipeline?.problem === null && tasks?.every(isTaskOver))
    return { imported: { ...read, pipeline: withDone(pipeline, "IMPLEMENTATION", []) }, top };
  return { imported: withRecoveredTasks(project, withResumePoint(project, read, top), top), top };
}

/** While a workflow implements, its tasks are in the execution file beside its phase file: these are imported too. */
async function importTasks(
  project: Project,
  { pipeline }: Imported,
  input: ImportInput,
): Promise<readonly Task[] | undefined> {
  const isNow = pipeline?.steps.some(({ name, state }) => name === "IMPLEMENTATION" && state === "under way");
  if (!isNow || input.folder === undefined) return undefined;
  const { bytes } = readBounded(join(input.folder, "execution.json"), MAX_DOCUMENT_BYTES);
  if (bytes === undefined) return undefined;
  const source = "execution.json";
  const as = trailOfWorkflow({ parts: { variables: { workflow_id: pipeline?.id ?? null } } });
  const chunks = async function* () {
    yield bytes;
  };
  const { checkpoint } = await importDocument(project, { ...input, source, as, read: chunks });
  const cairn = await project.stores.open(project, "read");
  const { state } = await cairn.trail(checkpoint.trail).load();
  const left = state.tasks.filter((task) => !isTaskOver(task)).length;
  project.notices.message(
    `Read ${source} too, into ${checkpoint.trail}: ${left} of ${count(state.tasks.length, "task")} left.`,
  );
  return state.tasks.length === 0 ? undefined : state.tasks;
}

/** A workflow of another tool gets a trail of its own: several in one would be taken for one. */
function trailOfWorkflow({ parts }: Pick<Imported, "parts">): string | undefined {
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
