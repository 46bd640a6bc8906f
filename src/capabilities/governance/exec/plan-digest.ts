import {
  accessSync,
  constants,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, relative, resolve } from "node:path";
import type { Environment } from "../../../work/machine/environment.ts";
import { CheckpointError } from "../../../core/errors.ts";
import { digestOf } from "../keys/signature.ts";
import type { IdentifiedCommand } from "./identify-command.ts";

/** What is run, as it was when its digest was taken. */
export interface FixedCommand {
  readonly argv: readonly string[];
  /** The file that its first word means here; undefined if there is none. */
  readonly program: string | undefined;
  readonly env: Environment;
  /** What an approval is for: the plan and everything that decides what it does. */
  readonly digest: string;
  /** Removes what was copied. */
  readonly release: () => void;
}

export interface CommandPlace {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Environment;
}

/** Fixes what a command will do, so that nobody can exchange it between approval and start. */
export function fixCommand(place: CommandPlace, command: IdentifiedCommand): FixedCommand {
  const { argv, cwd, env } = place;
  if (command.action === "infra.terraform.apply") return fixPlan(place, command);
  const files = command.tool === "ansible" ? playbookFiles(place) : [];
  const words = command.tool === "ansible" ? argv.filter((word) => !isCheckWord(word)) : argv;
  const [program, ...content] = programOf(place, command);
  const what = [words, cwd, settingsOf(env, command), files, program ?? null, content];
  return { argv, program, env, digest: digestOf(JSON.stringify(what)), release: () => {} };
}

/** The digest of a plan that terraform has written: the one that applying it will have. */
export function writtenPlanDigest(place: CommandPlace, command: IdentifiedCommand): string | undefined {
  if (command.plan === undefined) return undefined;
  const path = resolve(place.cwd, command.plan);
  return isFile(path) ? planDigest(path, place) : undefined;
}

/** Applies a private copy: the file in the project may change while terraform starts. */
function fixPlan(place: CommandPlace, { plan = "", planAt = 0 }: IdentifiedCommand): FixedCommand {
  const { argv, cwd } = place;
  const folder = mkdtempSync(join(tmpdir(), "cairn-plan-"));
  const release = () => rmSync(folder, { recursive: true, force: true });
  const copy = join(folder, "plan");
  try {
    copyFileSync(resolve(cwd, plan), copy);
  } catch (cause) {
    release();
    throw new CheckpointError("not-found", `There is no plan "${plan}".`, {
      hint: `checkpoint exec -- terraform plan -out=${plan}`,
      cause,
    });
  }
  // These could add words to the command.
  const kept = Object.entries(place.env).filter(([name]) => !name.startsWith("TF_CLI_ARGS"));
  const plain = { argv, cwd, env: Object.fromEntries(kept) };
  const [program] = programOf(plain, {});
  return { ...plain, argv: argv.with(planAt, copy), program, digest: planDigest(copy, plain), release };
}

function planDigest(path: string, place: CommandPlace): string {
  const { argv, cwd, env } = place;
  const tool = { tool: "terraform" } as const;
  const verb = argv.findIndex((word, index) => index > 0 && !word.startsWith("-"));
  // What stands before the verb says where the plan is applied.
  const before = argv.slice(1, Math.max(verb, 1));
  const what = [contentOf(path), cwd, settingsOf(env, tool), before, programOf(place, tool)];
  return digestOf(JSON.stringify(["terraform plan", ...what]));
}

/** Which program a name means here; of a tool that needs approval also what is in it, because a name says nothing. */
function programOf({ argv, cwd, env }: CommandPlace, { tool }: Pick<IdentifiedCommand, "tool">): string[] {
  const [name = ""] = argv;
  const folders = /[/\\]/.test(name) ? [""] : (env["PATH"] ?? "").split(delimiter);
  const path = folders.map((folder) => resolve(cwd, folder, name)).find(isProgram);
  return path === undefined ? [] : [path, ...(tool === undefined ? [] : [contentOf(path)])];
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return isFile(path);
  } catch {
    return false;
  }
}

const contentOf = (path: string) => digestOf(readFileSync(path));

/** Variables that decide what the tool does. Variables of a plan are in the plan. */
function settingsOf(env: Environment, { tool }: Pick<IdentifiedCommand, "tool">): [string, string][] {
  const pattern =
    tool === "terraform" ? /^TF_(?!VAR_|CLI_ARGS|LOG)/ : tool === "ansible" ? /^ANSIBLE_/ : /^$/;
  return Object.entries(env)
    .filter((entry): entry is [string, string] => pattern.test(entry[0]) && entry[1] !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
}

const isCheckWord = (word: string) => ["--check", "-C", "--diff", "-D"].includes(word);

const MOST_FILES = 5_000;
const MOST_BYTES = 64 * 2 ** 20;

/** Every file beside and below those that the command names: a playbook includes roles, tasks and variables. */
function playbookFiles({ argv, cwd }: CommandPlace): [string, string][] {
  const named = argv.slice(1).map((word) => resolve(cwd, word.replace(/^-[ie]@?|^@/, "")));
  const folders = new Set(named.filter(isFile).map((path) => dirname(path)));
  const found = new Map<string, string>();
  let bytes = 0;
  for (const folder of folders)
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (!entry.isFile() || /[/\\]\.(?:git|cairn)[/\\]/.test(path)) continue;
      const content = readFileSync(path);
      bytes += content.length;
      found.set(relative(cwd, path), digestOf(content));
      if (found.size > MOST_FILES || bytes > MOST_BYTES) throw tooMuch(folder);
    }
  return [...found].toSorted(([one], [other]) => (one < other ? -1 : 1));
}

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

function tooMuch(folder: string): CheckpointError {
  return new CheckpointError("refused", `"${folder}" holds too much to fix what a playbook there does.`, {
    hint: `Put the playbook with its roles into a folder of its own: at most ${MOST_FILES} files and 64 MB.`,
    details: { refused: true, folder },
  });
}
