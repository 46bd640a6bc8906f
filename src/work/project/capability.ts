import { CheckpointError } from "../../core/errors.ts";
import type { FeedSource } from "./feed/feed-event.ts";
import type { ForeignStates } from "./foreign-states.ts";
import type { SessionEvents } from "./events/listeners.ts";
import type { DoctorCheck } from "./finding.ts";
import type { Gatekeeper } from "./gate.ts";
import type { VerbTable } from "../verbs/spec.ts";
import type { Mirrors } from "./mirrors.ts";
import type { Project } from "./project.ts";
import type { Runs } from "./runs.ts";
import type { Snapshots } from "./snapshots.ts";
import type { SharedStores } from "./shared-store.ts";

/**
 * What a folder in `capabilities` adds to a project. The project and the doors know a list of these, never a capability: a
 * folder that is deleted, and its line in the list, leave a program that works without it. Plain data; the code behind each
 * part is loaded when it is first needed.
 */
export interface Capability {
  readonly name: string;
  /** The capabilities that it imports. */
  readonly needs: readonly string[];
  /** Its verbs, for every door. */
  readonly verbs?: readonly VerbTable[];
  /** What it has to say in `checkpoint doctor`. */
  readonly doctor?: () => Promise<DoctorCheck>;
  /** Asked before governed work is committed. */
  readonly gate?: () => Promise<Gatekeeper>;
  /** Keeps a second copy of open stores. */
  readonly mirrors?: () => Promise<Mirrors>;
  /** What `status` has to tell of it: nothing, where all is as it should be. */
  readonly statusNotes?: () => Promise<(project: Project) => Promise<readonly string[]>>;
  /** Removes what it keeps beside checkpoints, once those were pruned. Returns how much went; a sweep follows. */
  readonly retention?: () => Promise<(project: Project) => Promise<number>>;
  /** Hears what happens in agents' sessions. */
  readonly events?: SessionEvents;
  /** Keeps the files of the project. */
  readonly snapshots?: () => Promise<Snapshots>;
  /** Knows the runs of workflows. */
  readonly runs?: () => Promise<Runs>;
  /** A line that the briefings of sessions end with: what an agent can ask of it. */
  readonly briefing?: string;
  /** What the briefing of a trail says besides, where the person has switched that on. */
  readonly advice?: () => Promise<(project: Project, trail: string) => Promise<readonly string[]>>;
  /** What its commits, and its entries in the log, mean to those who follow the feed of events. */
  readonly feed?: () => Promise<FeedSource>;
  /** Tells the states of trails that another system writes. */
  readonly foreignStates?: ForeignStates;
  /** Opens stores on servers, which many machines share. */
  readonly sharedStores?: () => Promise<SharedStores>;
}

type Loaded<Load> = NonNullable<Load> extends () => Promise<infer Part> ? Part : never;

/**
 * Loads a part from the first capability that has it; undefined where none does. `Has` is `Capability`, or a capability's own
 * extension of it: workflow asks for a part that only workers provide.
 */
export async function findPart<Has extends Capability, Part extends keyof Has>(
  { capabilities }: { readonly capabilities: readonly Has[] },
  part: Part,
): Promise<Loaded<Has[Part]> | undefined> {
  const load = capabilities.find((each) => each[part] !== undefined)?.[part];
  return (load as (() => Promise<Loaded<Has[Part]>>) | undefined)?.();
}

/** For what must not be done without it: a governed store is never written as if it were not. */
export function notInBuild(what: string, capability: string): CheckpointError {
  return new CheckpointError("missing-dependency", `${what}, and this build has no "${capability}".`, {
    hint: "Use a whole installation: npm install --global cairn-checkpoint",
    details: { capability },
  });
}
