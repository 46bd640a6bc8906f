import { createHash } from "node:crypto";
import { existsSync, linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import type { Sandbox } from "../../cli/support/sandbox.ts";

/** What is planted: a link to what was there and is now outside, to a folder, to nothing yet, or a second name. */
export const KINDS = ["moved", "folder", "dangling", "hard"] as const;
export type Kind = (typeof KINDS)[number];

const flow = (name: string) => `name: ${name}
steps:
  - id: work
    run: echo done
  - id: ask
    needs: [work]
    approve: Go on?
  - id: late
    needs: [ask]
    run: echo later
    verify: echo fine
`;

/** A project with a store, a run that waits for an answer, and one that has its answer and can go on. */
export function prepare(box: Sandbox): void {
  for (const name of ["flow", "other"]) box.write(`${name}.yaml`, flow(name));
  const commands: readonly (readonly [number, ...string[]])[] = [
    [0, "now"],
    [0, "goal", "Test"],
    [4, "run", "flow.yaml", "--run-id", "waits"],
    [4, "run", "other.yaml", "--run-id", "ready"],
    [0, "approve", "ready"],
  ];
  for (const [expected, ...args] of commands) {
    const { status, stderr } = box.run(args);
    if (status !== expected) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
  }
}

/** Puts a link at `path` that leads to something in `outside`. */
export function plant(path: string, outside: string, kind: Kind): void {
  const target = join(outside, "target");
  if (existsSync(path)) renameSync(path, kind === "moved" || kind === "hard" ? target : `${path}.away`);
  mkdirSync(dirname(path), { recursive: true });
  if (kind === "folder") {
    mkdirSync(target);
    writeFileSync(join(target, "kept"), "kept");
  } else if (kind !== "dangling" && !existsSync(target)) writeFileSync(target, "");
  if (kind === "hard" && lstatSync(target).isFile()) linkSync(target, path);
  else symlinkSync(target, path);
}

export function hardLinkTo(path: string, second: string): void {
  linkSync(path, second);
}

/** Every file below a folder, with its mode and a fingerprint of its content. */
export function whatIsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .toSorted()
    .map((name) => {
      const path = join(folder, name);
      const { mode } = lstatSync(path);
      const content = lstatSync(path).isFile()
        ? createHash("sha256").update(readFileSync(path)).digest("hex")
        : "";
      return `${name} ${mode.toString(8)} ${content}`;
    });
}
