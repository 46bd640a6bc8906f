import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { rewind } from "../../../src/doors/library/project.ts";
import { FilesBox, treeOf } from "./tree.ts";

/** A small generator of random numbers that repeats itself for the same seed (mulberry32). */
class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  chance(probability: number): boolean {
    return this.below(1_000_000) < probability * 1_000_000;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }
}

const NAMES = [
  "a.txt",
  "b.txt",
  "A.txt",
  "src/main.ts",
  "src/deep/er/x.c",
  "src/deep/y",
  "ü ñ.txt",
  "-rf",
  "with space",
  "line\nfeed",
  "bin/tool",
  "data.bin",
  "docs",
  "docs/read.me",
  "crlf.txt",
];

interface Walk {
  readonly box: FilesBox;
  readonly random: Random;
  readonly taken: string[];
}

type Change = (walk: Walk) => void;

function contentFor(random: Random, size = random.below(40)): string | Uint8Array {
  const kind = random.below(8);
  if (kind === 0) return "";
  if (kind === 1) return Uint8Array.from({ length: size * 9 }, () => random.below(256));
  if (kind === 2)
    return Array.from({ length: size }, (_, at) => `line ${at} ${random.below(5)}\r\n`).join("");
  if (kind === 3 && random.chance(0.15)) return "0123456789abcdef\n".repeat(80_000 + random.below(9));
  return Array.from({ length: size }, (_, at) => `line ${at} ${random.below(3)}\n`).join("");
}

/** A name that can be written: nothing that is no folder stands above it. */
function freeName({ box, random }: Walk): string {
  const name = random.pick(NAMES);
  for (let above = dirname(name); above !== "."; above = dirname(above))
    if (isThere(box.path(above)) && !lstatSync(box.path(above)).isDirectory())
      rmSync(box.path(above), { force: true });
  if (isThere(box.path(name)) && lstatSync(box.path(name)).isDirectory())
    rmSync(box.path(name), { recursive: true });
  return name;
}

const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

const someFile = ({ box, random }: Walk): string | undefined => random.pick([...treeOf(box.root).keys()]);

const CHANGES: Readonly<Record<string, Change>> = {
  write: (walk) => {
    const name = freeName(walk);
    rmSync(walk.box.path(name), { force: true });
    walk.box.write(name, contentFor(walk.random));
  },
  again: (walk) => CHANGES["write"]?.(walk),
  more: (walk) => CHANGES["write"]?.(walk),
  remove: (walk) => {
    const name = someFile(walk);
    if (name !== undefined) rmSync(walk.box.path(name));
  },
  rename: (walk) => {
    const from = someFile(walk);
    if (from === undefined) return;
    const to = freeName(walk);
    if (!isThere(walk.box.path(from))) return;
    mkdirSync(dirname(walk.box.path(to)), { recursive: true });
    renameSync(walk.box.path(from), walk.box.path(to));
  },
  mode: (walk) => {
    const name = someFile(walk);
    if (name === undefined || !lstatSync(walk.box.path(name)).isFile()) return;
    chmodSync(walk.box.path(name), walk.random.chance(0.5) ? 0o755 : 0o644);
  },
  link: (walk) => {
    const name = freeName(walk);
    rmSync(walk.box.path(name), { force: true });
    mkdirSync(dirname(walk.box.path(name)), { recursive: true });
    symlinkSync(walk.random.pick(["a.txt", "src", "nowhere", "../outside", "/etc"]), walk.box.path(name));
  },
  removeFolder: ({ box, random }) => {
    const folders = readdirSync(box.root, { withFileTypes: true }).filter(
      (entry) => entry.isDirectory() && !entry.name.startsWith("."),
    );
    const folder = random.pick(folders);
    if (folder) rmSync(box.path(folder.name), { recursive: true });
  },
  commit: ({ box }) => {
    box.git("add", "-A");
    box.git("commit", "-qm", "x", "--allow-empty");
  },
  stage: ({ box }) => void box.git("add", "-A"),
  stash: ({ box, random }) => void box.git("stash", random.pick(["push", "pop"]), "-q"),
  branch: ({ box, random }) => void box.git("checkout", "-q", "-B", random.pick(["one", "two"])),
  switch: ({ box, random }) => void box.git("checkout", "-q", random.pick(["one", "two", "main"])),
  reset: ({ box }) => void box.git("reset", "-q", "--hard"),
};

/** A moment that was kept, and all that was there. */
interface Kept {
  readonly id: string;
  readonly tree: ReadonlyMap<string, string>;
}

/**
 * One random history: files change in every way, moments are kept, and one of them is brought back. Each file must have
 * exactly the bytes of that moment, or, where it is named as left, those from before; nothing in `.git` may change; and taking
 * it back must give everything as it was. Returns what was found wrong.
 */
export async function runHistory(seed: number, { hasGit = true, steps = 14 } = {}): Promise<string[]> {
  const box = new FilesBox({ hasGit });
  const walk: Walk = { box, random: new Random(seed), taken: [] };
  const names = Object.keys(CHANGES).filter((name) => hasGit || !GIT_CHANGES.includes(name));
  try {
    const kept: Kept[] = [];
    for (let step = 0; step < steps; step++) {
      const name = walk.random.pick(names);
      walk.taken.push(name);
      CHANGES[name]?.(walk);
      if (walk.random.chance(0.25) || step === 3) kept.push(await keep(box));
    }
    return await goBack(walk, walk.random.pick(kept));
  } finally {
    await box.remove();
  }
}

const GIT_CHANGES = ["commit", "stage", "stash", "branch", "switch", "reset"];

const keep = async (box: FilesBox): Promise<Kept> => ({ id: await box.keep(), tree: treeOf(box.root) });

async function goBack({ box, random, taken }: Walk, { id, tree }: Kept): Promise<string[]> {
  const acrossCommits = random.chance(0.5);
  const before = treeOf(box.root);
  const gitBefore = gitOf(box);
  const wrong: string[] = [];
  const say = (what: string) => wrong.push(`${what} [${taken.join(" ")}${acrossCommits ? " across" : ""}]`);
  const result = await rewind(box.project, { id, acrossCommits });
  const after = treeOf(box.root);
  const left = new Map(
    [...result.conflicts, ...result.committed, ...result.not_covered].map(({ path, why }) => [path, why]),
  );
  for (const path of new Set([...before.keys(), ...after.keys(), ...tree.keys()])) {
    const expected = left.has(path) ? before.get(path) : tree.get(path);
    if (after.get(path) !== expected)
      say(`${JSON.stringify(path)} is ${short(after.get(path))}, not ${short(expected)} (${left.get(path)})`);
  }
  if (acrossCommits && result.committed.length > 0) say("left what commits changed");
  // Where commits differ, a file may have to stay that stands in the way of another.
  if (acrossCommits && result.conflicts.length > 0) say(`conflict: ${JSON.stringify(result.conflicts)}`);
  if (gitOf(box) !== gitBefore) say(".git has changed");
  await rewind(box.project, { undo: true, acrossCommits: true }).catch((error: unknown) => {
    if (result.restored.length > 0) say(`no undo: ${String(error)}`);
  });
  const undone = treeOf(box.root);
  for (const path of new Set([...before.keys(), ...undone.keys()]))
    if (undone.get(path) !== before.get(path))
      say(`undo left ${JSON.stringify(path)} as ${short(undone.get(path))}, not ${short(before.get(path))}`);
  return wrong;
}

const short = (content: string | undefined) => JSON.stringify(content?.slice(0, 60));

const gitOf = (box: FilesBox) =>
  existsSync(join(box.root, ".git")) ? JSON.stringify([...treeOf(box.path(".git"), [])]) : "";
