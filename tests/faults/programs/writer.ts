// Works on a store, and says what it is about to do and what is done: node writer.mjs <folder> <operation> …
//
// Operations: open, commit[:count], prune[:keep], sweep, import:file, close, die; a last "…" repeats those after open forever.
// After a failure it tries two more commits on the same handle, to see whether a handle that failed says yes again.
import { createReadStream } from "node:fs";
import type { Cairn, Trail } from "../../../src/doors/library/index.ts";
import { openCairn } from "../../../src/doors/library/index.ts";
import { prune } from "../../../src/core/trails/prune.ts";
import { importTrail } from "../../../src/work/import/import-trail.ts";
import { exitStatusOf, failureOf, say, type Failure } from "./say.ts";
import { advance, IMPORTED, NO_WORK, type Work } from "./work.ts";

export type Told =
  | { readonly doing: string }
  | { readonly did: "commit"; readonly step: number; readonly hash: string; readonly isLate: boolean }
  | { readonly did: "open" | "prune" | "sweep" | "import" | "close" }
  | { readonly failed: string; readonly failure: Failure };

const LATE_TRIES = 2;

class Writer {
  readonly #folder: string;
  #cairn: Cairn | undefined;
  #trail: Trail<Work> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async run(operation: string): Promise<void> {
    const [name, argument = "1"] = operation.split(":");
    if (name === "die") process.kill(process.pid, "SIGKILL");
    if (name === "commit") for (let left = Number(argument); left > 0; left--) await this.commit(false);
    else await this.#tell(name as "open", () => this.#once(name as string, argument));
  }

  async commit(isLate: boolean): Promise<void> {
    let step = 0;
    say({ doing: "commit" } satisfies Told);
    const info = await this.#trail?.commit((work) => {
      const next = advance(work);
      step = next.step;
      return next;
    });
    say({ did: "commit", step, hash: info?.content_hash ?? "", isLate } satisfies Told);
  }

  async tryAgain(): Promise<void> {
    for (let tries = 0; this.#trail !== undefined && tries < LATE_TRIES; tries++) {
      await this.commit(true).catch((error: unknown) => sayFailed("late commit", error));
    }
  }

  async #tell(
    name: "open" | "prune" | "sweep" | "import" | "close",
    work: () => Promise<unknown>,
  ): Promise<void> {
    say({ doing: name } satisfies Told);
    await work();
    say({ did: name } satisfies Told);
  }

  async #once(name: string, argument: string): Promise<void> {
    if (name === "open") {
      this.#cairn = await openCairn({ path: this.#folder });
      this.#trail = this.#cairn.trail<Work>("main", { initial: NO_WORK });
    } else if (name === "sweep") await this.#cairn?.sweep();
    else if (name === "close") await this.#cairn?.close();
    else if (name === "import" && this.#cairn)
      await importTrail(this.#cairn.store, () => createReadStream(argument), {
        source: "a file",
        as: IMPORTED,
        now: new Date(),
      });
    else if (this.#cairn)
      await prune(this.#cairn.store, { trail: "main" }, { last: Number(argument) }, { now: new Date() });
  }
}

function sayFailed(what: string, error: unknown): Failure {
  const failure = failureOf(error);
  say({ failed: what, failure } satisfies Told);
  return failure;
}

const [folder = "", ...operations] = process.argv.slice(2);
const isEndless = operations.at(-1) === "…";
const list = isEndless ? operations.slice(0, -1) : operations;
const writer = new Writer(folder);
let current = "";
try {
  for (let round = 0; round < (isEndless ? Infinity : 1); round++)
    for (current of round === 0 ? list : list.slice(1)) await writer.run(current);
} catch (error) {
  process.exitCode = exitStatusOf(sayFailed(current, error));
  await writer.tryAgain();
}
