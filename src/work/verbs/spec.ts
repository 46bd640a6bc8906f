import type { ArgumentSpec, FieldSpec, OptionSpec } from "./field.ts";
import type { JsonSchema } from "./json-schema.ts";

/**
 * The description of a verb, or of a command that is none: the one source for parsing, help, completion, docs/reference/commands.md,
 * the published schemas, and what the MCP server and the page take. Plain data, so that describing them all costs nothing
 * at start. The key in its table is what is typed after `checkpoint`: one word, or two as in `task add`.
 */
export interface VerbEntry {
  /** One line, without a full stop. */
  readonly about: string;
  /** Shown first in the help: what to type, and what it is for. */
  readonly examples: readonly (readonly [command: string, why: string])[];
  /** More words for the help, after the options. */
  readonly details?: string;
  readonly arguments?: Readonly<Record<string, ArgumentSpec>>;
  readonly options?: Readonly<Record<string, OptionSpec>>;
  /** What the verb takes besides, where it is not typed. */
  readonly wire?: Readonly<Record<string, FieldSpec>>;
  /** What `--json` prints; `schema` and `messages` come on top. Null: it speaks to a client in its own language. */
  readonly result?: () => JsonSchema | null;
  /** The function's name in the library, where it is not that of the command: `setVariable`. */
  readonly verb?: string;
  /** Loads the file with the verb's function, for the page and for a command without a file. */
  readonly run?: () => Promise<object>;
  /** The result in words. A command without it has a file of its own, named after its first word unless `file` says it. */
  readonly show?: (result: never) => string;
  readonly file?: string;
  /** What it changes: the trail that it is given, or anything else. Without it, nothing. */
  readonly writes?: "trail" | "store";
  readonly tool?: ToolWords | string;
  readonly page?: PageWords | string;
}

/** A verb without a command of its own, and why it has none. Its key is its name. */
export interface UntypedVerb extends Omit<VerbEntry, "about" | "examples" | "show" | "file"> {
  readonly command: string;
}

/** How agents are offered a verb. The description costs them tokens with every request. */
export interface ToolWords {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Looks at what is there; adds a checkpoint; or adds one, and a second call with the same words changes nothing more. */
  readonly effect: "looks" | "adds" | "sets";
  /** What must be given here though it may be left out elsewhere. */
  readonly needs?: readonly string[];
  /** The only fields that it takes. */
  readonly only?: readonly string[];
  /** Fields that only the tool has. */
  readonly also?: Readonly<Record<string, FieldSpec>>;
}

/** The page calls it, with these values where it gives none. */
interface PageWords {
  readonly defaults?: Readonly<Record<string, unknown>>;
}

export const GROUPS = {
  saving: "Save and look",
  work: "Set goals, rules and tasks",
  workflows: "Run workflows, resume",
  history: "Go back and branch",
  keeping: "Keep it safe and small",
  sharing: "Share with other machines, back up",
  governance: "Decide and prove what agents may do",
  setup: "Set up and find out",
} as const;

/** Verbs that belong together. */
export interface VerbTable {
  readonly group: keyof typeof GROUPS;
  readonly entries: Readonly<Record<string, VerbEntry | UntypedVerb>>;
  /** Why agents, and the page, lack those whose entries do not say. */
  readonly tool?: string;
  readonly page?: string;
  /** Loads a command's file. */
  readonly load?: (file: string) => Promise<object>;
}

/** A command as the command line knows it. */
export interface CommandSpec extends VerbEntry {
  /** Its key in the table, which names its JSON and its function. */
  readonly key: string;
  /** What is typed and shown. */
  readonly name: string;
  readonly group: VerbTable["group"];
  readonly load: (file: string) => Promise<object>;
}

/** The name of an entry's function: that of `task add` is `taskAdd`. */
export function verbName(key: string, { verb }: Pick<VerbEntry, "verb"> = {}): string {
  return verb ?? key.replace(/ \w/, (letter) => letter.slice(1).toUpperCase());
}
