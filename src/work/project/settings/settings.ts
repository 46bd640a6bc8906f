import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../../machine/environment.ts";
import { personalFolder } from "../../machine/folders.ts";
import { readBounded } from "../../machine/read-bounded.ts";
import type { CollectorCommand } from "../../capture/collectors/run-collector.ts";
import type { DeclaredDependency } from "../../capture/probes/probe.ts";
import { secretMemory } from "./secret-memory.ts";
import { createRedactor, type ExtraPattern, type Redactor } from "../../../core/redaction/redactor.ts";
import type { Project } from "../project.ts";
import type { User } from "../remembered.ts";
import type { FAMILY_NAMES, LEVEL_NAMES } from "./summary-choices.ts";

/** Where a setting comes from, the strongest first: what a command's own flags say goes before all of these. */
export type Source = "environment" | "project" | "user" | "default";

/** What can be configured. Names are those of the files, so that a message about one can be looked up. */
export interface Settings {
  /** The implementation plan whose headings say the phase. */
  readonly plan?: string | undefined;
  readonly dependencies: readonly DeclaredDependency[];
  /** Endpoints of project configs that may be contacted. Only the user can say that. */
  readonly allow_endpoints: readonly string[];
  /** Remotes that the project suggests. Nothing goes there before the user has added one. */
  readonly remotes: readonly { readonly name: string; readonly url: string }[];
  readonly probe_timeout_ms: number;
  /** How many checkpoints `prune` keeps. */
  readonly keep: number;
  readonly redact: readonly ExtraPattern[];
  /** What is never redacted. Only the user can say that. */
  readonly redact_allow: readonly string[];
  /** Programs whose JSON goes into the checkpoints of `now`. A project's count once the user has accepted them. */
  readonly collectors: readonly CollectorCommand[];
  /** Who saves, where nothing else says so, and the tier that it claims: recorded, and grants nothing. */
  readonly agent_id?: string | undefined;
  readonly agent_tier?: number | undefined;
  /** Whether the gate decides and the ledger records. Once it did, saying no here is not enough. */
  readonly governance?: boolean | undefined;
  /** A Redis or Valkey server. One that a project names counts once the user's own list allows it. */
  readonly cache?: string | undefined;
  /** Whether each project gets a mirror. Only the user can say that. */
  readonly mirror?: boolean | undefined;
  /** Whether briefings tell agents what the record suggests. Only the user can say that. */
  readonly suggestions?: boolean | undefined;
  /** Whether hooks keep the project's files. */
  readonly files?: boolean | undefined;
  /** Where the project keeps its checkpoints. Counts once the user has accepted it. */
  readonly store?: StoreSetting | undefined;
  readonly level?: (typeof LEVEL_NAMES)[number] | undefined;
  readonly family?: (typeof FAMILY_NAMES)[number] | undefined;
}

/** A shared store: the variable that its URL is in, and its schema. */
export interface StoreSetting {
  readonly url_env: string;
  readonly schema: string;
}

export type Configured = Settings & {
  readonly sources: Readonly<Record<string, Source>>;
  /** What is wrong in the files, and is left out. */
  readonly warnings: readonly string[];
  /** The project's own redaction patterns that this user has not accepted, and that are left out. */
  readonly unaccepted: readonly ExtraPattern[];
  /** The project's collectors, if this user has not accepted them as they are: they are left out. */
  readonly unacceptedCollectors: readonly CollectorCommand[];
};

export const DEFAULTS: Settings = {
  dependencies: [],
  allow_endpoints: [],
  remotes: [],
  probe_timeout_ms: 1000,
  keep: 50,
  redact: [],
  redact_allow: [],
  collectors: [],
};

export const PROJECT_FILE = "cairn.yaml";

/**
 * The settings in force. Most projects have no file and no variable; then this costs two looks at the disk, and
 * nothing is loaded.
 */
export async function readSettings(
  { env }: { readonly env: Environment },
  root: string,
): Promise<Configured> {
  const project = join(root, PROJECT_FILE);
  const user = userConfigFile({ env });
  const files = {
    project: existsSync(project) ? project : undefined,
    user: user !== undefined && existsSync(user) ? user : undefined,
  };
  const hasVariable = VARIABLES.some((name) => env[name]);
  if (files.project === undefined && files.user === undefined && !hasVariable)
    return { ...DEFAULTS, sources: {}, warnings: [], unaccepted: [], unacceptedCollectors: [] };
  const { mergeSettings } = await import("./merge.ts");
  return mergeSettings(env, files);
}

/** Variables that settings can come from. */
const VARIABLES = ["PLAN", "KEEP", "LEVEL", "FAMILY", "CACHE"].map((name) => `CHECKPOINT_${name}`);

/** The user's own file: `cairn/config.yaml` in $XDG_CONFIG_HOME, or in ~/.config. */
export function userConfigFile({ env }: { readonly env: Environment }): string | undefined {
  const folder = personalFolder(env, "XDG_CONFIG_HOME", ".config");
  return folder && join(folder, "cairn", "config.yaml");
}

/** Larger files are refused when settings are read. */
export const MAX_CONFIG_BYTES = 256 * 1024;

/** Whether a config may set something: false only if none does. For those who need nothing else of it. */
export function maySet(
  name: "files" | "governance" | "mirror" | "redact" | "store" | "suggestions",
  user: User,
  root: string,
): boolean {
  return [join(root, PROJECT_FILE), userConfigFile(user)].some((file) => {
    if (file === undefined || !existsSync(file)) return false;
    const { bytes } = readBounded(file, MAX_CONFIG_BYTES);
    // A file that cannot be read is refused by those who parse it.
    return bytes === undefined || mayHaveKey(bytes.toString("utf8"), name);
  });
}

/** A comment, or the middle of a quoted text, which is no key that we know: it holds a "#". */
const COMMENT = /^[ \t]*#[^"']*$/;

/**
 * Whether YAML may have this word as a key, wherever it stands; a backslash can spell any word. Hooks come every few
 * seconds, and parsing takes half as long again as all that they do.
 */
export function mayHaveKey(yaml: string, word: string): boolean {
  const has = (text: string) => text.includes(word) || text.includes("\\");
  return has(yaml) && yaml.split(/[\r\n]/).some((line) => has(line) && !COMMENT.test(line));
}

const readFor = new WeakMap<Project, Promise<Configured>>();

/** The settings in force for this call. Mistakes in them are reported once, as warnings. */
export function settingsOf(project: Project): Promise<Configured> {
  const reading = readFor.get(project) ?? read(project);
  readFor.set(project, reading);
  return reading;
}

async function read(project: Project): Promise<Configured> {
  const settings = await readSettings(project, project.root);
  for (const warning of settings.warnings) project.notices.warning(warning);
  return settings;
}

/** The general rules of redaction with the project's own. */
export async function redactorOf(project: Project): Promise<Redactor> {
  const memory = secretMemory(project);
  if (!maySet("redact", project, project.root)) return createRedactor({ memory });
  const { redact, redact_allow } = await settingsOf(project);
  return createRedactor({ extraPatterns: redact, allow: redact_allow, memory });
}
