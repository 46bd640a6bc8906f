import { CheckpointError } from "../../core/errors.ts";
import type { DoctorCheck } from "./finding.ts";
import type { Gatekeeper } from "./gate.ts";
import type { PageVerb } from "./page-verb.ts";
import type { CommandTable } from "../verbs/spec.ts";
import type { Mirrors } from "./mirrors.ts";

/**
 * What a folder in `capabilities` adds to a project. The project and the doors know a list of these, never a capability: a
 * folder that is deleted, and its line in the list, leave a program that works without it. Plain data; the code behind each
 * part is loaded when it is first needed.
 */
export interface Capability {
  readonly name: string;
  /** The capabilities that it imports. */
  readonly needs: readonly string[];
  /** Its commands, as the help has them. */
  readonly commands?: readonly CommandTable[];
  /** The verbs that the page calls, by name. */
  readonly page?: () => Promise<Readonly<Record<string, PageVerb>>>;
  /** What it has to say in `checkpoint doctor`. */
  readonly doctor?: () => Promise<DoctorCheck>;
  /** Asked before governed work is committed. */
  readonly gate?: () => Promise<Gatekeeper>;
  /** Keeps a second copy of open stores. */
  readonly mirrors?: () => Promise<Mirrors>;
}

/** The parts that a project asks for. */
export type CapabilityPart = "gate" | "mirrors";

type Loaded<Part extends CapabilityPart> = Awaited<ReturnType<NonNullable<Capability[Part]>>>;

/** The part of the first capability that has it; undefined where none does. Loaded once by the capability itself. */
export async function findPart<Part extends CapabilityPart>(
  { capabilities }: { readonly capabilities: readonly Capability[] },
  part: Part,
): Promise<Loaded<Part> | undefined> {
  const load = capabilities.find((each) => each[part] !== undefined)?.[part];
  return load === undefined ? undefined : ((await load()) as Loaded<Part>);
}

/** For what must not be done without it: a governed store is never written as if it were not. */
export function notInBuild(what: string, capability: string): CheckpointError {
  return new CheckpointError("missing-dependency", `${what}, and this build has no "${capability}".`, {
    hint: "Use a whole installation: npm install --global cairn-checkpoint",
    details: { capability },
  });
}
