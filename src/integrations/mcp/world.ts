import type { Environment } from "../../capture/environment.ts";
import type { LookSettings } from "../../capture/look.ts";
import type { Cairn } from "../../checkpoints/cairn.ts";
import type { RedactionSettings } from "../../redaction/redact-fresh.ts";
import type { CheckpointError } from "../../errors.ts";
import type { Level } from "../../handoff/options.ts";
import type { Family } from "../../handoff/tokens/token-counter.ts";
import type { WorkflowContext } from "../../workflow/context.ts";

/** A project, and the folder that holds its store. */
export interface Project {
  readonly root: string;
  readonly folder: string;
}

/** What the configuration of a project says, as far as the tools ask. */
interface ProjectSettings extends LookSettings, RedactionSettings {
  readonly level?: Level | undefined;
  readonly family?: Family | undefined;
}

/** How a store is wanted: to be written, and made if it is missing; or only if it is there. */
export type Opening = "create" | "write" | "read";

/** Everything that the server knows of the world. It gets nothing from anywhere else. */
export interface World {
  readonly version: string;
  readonly env: Environment;
  /** Where the server was started. */
  readonly cwd: string;
  /** The folder that whoever started the server named; it goes before all others. */
  readonly chosenFolder: string | undefined;
  /** Undefined where the system has no such thing. */
  readonly userId: number | undefined;
  readonly now: () => Date;
  readonly findProject: (folder: string) => Project;
  readonly hasStore: (project: Project) => boolean;
  readonly openStore: (project: Project, opening: Opening) => Promise<Cairn>;
  readonly settings: (root: string) => Promise<ProjectSettings>;
  readonly runner: Pick<WorkflowContext, "pid" | "host" | "kill">;
  /** Any error in words, with a hint. */
  readonly explain: (error: unknown) => CheckpointError;
  /** A line for people; never to where the protocol is spoken. */
  readonly log: (line: string) => void;
}
