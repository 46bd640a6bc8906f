import { hash } from "node:crypto";
import { steady } from "./steady.ts";

/** One thing that is wrong, as a tool printed it. */
export interface Problem {
  /** Equal wherever the same problem is met again, whatever its line numbers, paths, times and ids: `v1:` and ten digits. */
  readonly id: string;
  /** The tool that found it; null where no parser knows its output. */
  readonly tool: string | null;
  /** What people call it: the test, the rule, the message. */
  readonly title: string;
  /** Relative to the project, as far as the output tells. */
  readonly file: string | null;
  /** `project`: something must be fixed. `slip`: an agent mistook a path, an address or an option. */
  readonly kind: "project" | "slip";
}

/** The parts that tell a problem from all others. */
export interface Fingerprint {
  readonly tool: string | null;
  readonly kind: Problem["kind"];
  readonly file?: string | undefined;
  /** The test or the rule. */
  readonly name?: string | undefined;
  readonly message?: string | undefined;
}

/** The version stands in the id: problems keep theirs when the rules change. */
const VERSION = "v1";
const ID_LENGTH = 10;
const LONGEST_TITLE = 160;

export function problemOf({ tool, kind, file, name, message }: Fingerprint): Problem {
  // Where a test or a file has a name, its message may differ from run to run.
  const isNamed = name !== undefined && tool !== null && message === undefined;
  const parts = [tool ?? "", kind, file ?? "", name ?? "", isNamed ? "" : steady(message ?? "")];
  const digest = hash("sha256", parts.join("\0")).slice(0, ID_LENGTH);
  const title = [name, message].filter((part) => part !== undefined && part !== "").join(": ");
  return {
    id: `${VERSION}:${digest}`,
    tool,
    title: title.slice(0, LONGEST_TITLE).toWellFormed(),
    file: file ?? null,
    kind,
  };
}
