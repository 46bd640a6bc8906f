import { EXIT_STATUS, type ErrorCode } from "../../core/errors.ts";
import { wrap } from "../../work/terminal/columns.ts";
import { definitions } from "./help.ts";
import type { TOPICS } from "./table/setup.ts";

/** What each error code means; its status is the number in `EXIT_STATUS`. */
export const EXIT_WORDS: Readonly<Record<ErrorCode, string>> = {
  failed: "failed: the disk, the network, or a bug; also diff --exit-code when something changed",
  usage: "usage: an unknown command or option, a malformed id, a mistake in a config file",
  "not-found": "not found: no checkpoint yet, no such checkpoint, task or file",
  refused: "refused: by a gate, for lack of an approval, or to protect something",
  corrupt: "corrupt: something stored is damaged; the rest still loads",
  conflict: "conflict: another writer was faster, the name is taken, or a run needs your decision",
  budget: "budget: not even the essentials fit into the token budget",
  "missing-dependency": "missing dependency: something has to be installed first",
  interrupted: "interrupted: Ctrl-C; nothing was left half done",
};

/** Variables that the command knows. */
export const VARIABLE_WORDS: readonly (readonly [name: string, words: string])[] = [
  ["CHECKPOINT_TRAIL", "the trail to work on, where --trail is not given"],
  ["CHECKPOINT_AGENT", "who does the work, where --agent is not given"],
  ["CHECKPOINT_TIER", "the tier that it claims, where --tier is not given; recorded, and grants nothing"],
  ["CHECKPOINT_PLAN", "the plan file whose headings say the phase"],
  [
    "CHECKPOINT_WEBHOOK_SECRET",
    "what webhooks are signed with: docs/integrations.md has those of GitHub and Slack",
  ],
  ["CHECKPOINT_CACHE", "redis://host:6379: what is newest on a remote, for many readers"],
  ["CHECKPOINT_KEEP", "how many checkpoints prune keeps"],
  ["CHECKPOINT_LEVEL", "how long a summary is: minimal, compact, standard, full"],
  ["CHECKPOINT_FAMILY", "whose tokens a summary is counted in: claude, claude-3, gpt, gemini, any"],
  ["CHECKPOINT_STORE", "a shared store: postgres://user@host/database?schema=NAME"],
  ["CHECKPOINT_INSECURE", "set to 1, the certificate of that store's server is not verified"],
  ["CHECKPOINT_DEBUG", "set to 1, errors show where they happened"],
  [
    "CLAUDE_CODE_SESSION_ID",
    "and those of other agents: their sessions get trails of their own, session/<id>",
  ],
  ["NO_COLOR, FORCE_COLOR", "no colours; colours even when stdout is not a terminal"],
  ["XDG_CONFIG_HOME", "where your own config is: cairn/config.yaml (in ~/.config otherwise)"],
  [
    "XDG_STATE_HOME",
    "where it is kept which stores are your own: cairn/trusted (in ~/.local/state otherwise)",
  ],
  ["INPUT_NAME", "the value of a workflow's secret input name"],
  ["XDG_CACHE_HOME", "where compiled code is kept, so that the command starts fast"],
];

/** A topic: paragraphs that are broken to the width, and tables of names and meanings. Indented text stays as it is. */
type TopicPart = string | readonly (readonly [name: string, words: string])[];

const EXIT_CODES: readonly TopicPart[] = [
  "Every command ends with one of these statuses:",
  [
    ["0", "ok"],
    ...Object.entries(EXIT_STATUS).map(
      ([code, status]) => [String(status), EXIT_WORDS[code as ErrorCode]] as const,
    ),
  ],
  "With --json the error comes as one JSON document on stderr, with its code, message and hint.",
];

const ENVIRONMENT: readonly TopicPart[] = [
  "Settings come from, the strongest first: options, CHECKPOINT_… variables, cairn.yaml at the project's root (made to be committed), your own cairn/config.yaml, defaults. checkpoint config shows them all.",
  VARIABLE_WORDS,
  "The trail is --trail, else $CHECKPOINT_TRAIL, else that of the agent session, else main. A command that only reads uses the newest trail when its own is empty, and says so.",
  "The project's root is the first folder upwards with .cairn or .git in it. The store is .cairn there.",
  "cairn.yaml is data: it cannot make anything run before you accept it (checkpoint config --accept-collectors). Services that it declares on other machines are asked only if your own config lists them:",
  "  allow_endpoints:\n    - vault.example.com:8200",
];

const FORMAT: readonly TopicPart[] = [
  "With --json a command prints one JSON document on stdout, on one line:",
  '  {"schema":"cairn/load@1","checkpoint_id":"ckpt-…","trail":"main", … }',
  '"schema" names the command and the version of its format; the JSON Schemas are in the folder schemas of the package. Fields may be added within a version; none is removed or changes its meaning. What would have been said on stderr is in "messages". An error is one document on stderr:',
  '  {"schema":"cairn/error@1","error":{"code":"not-found","message":"…", … }}',
  "stdout is data only. Messages, warnings and progress go to stderr; --quiet leaves out the messages. Times are UTC. An id looks like ckpt-20260123-120000-abc12345: date, time, and the beginning of the checkpoint's SHA-256; the beginning of an id is enough wherever one is asked for. @ or latest is the newest of the trail, @~2 two before it, and a tag is a name of your own: checkpoint tag.",
];

const GOVERNANCE: readonly TopicPart[] = [
  'Governance records who did what, with what permission. It is off until cairn.yaml says "governance: on"; a person with the authority\'s key decides who may do more.',
  [
    ["T0 observe", "look, and save"],
    ["T1 work", "change the work's state: goal, tasks, decisions"],
    ["T2 run", "run commands and workflows"],
    ["T3 infrastructure", "change infrastructure, with an approval"],
    ["T4 administer", "all of it, with an approval"],
  ],
  "An agent starts at T0 and reaches T1 by working without violations; only the authority's signature raises it further. To begin:",
  "  checkpoint authority init        # the key that decides, behind a passphrase\n  checkpoint agent register NAME   # prints the token that the agent shows\n  checkpoint agent promote NAME --to 2\n  checkpoint exec --agent NAME -- npm test\n  checkpoint ledger",
  "checkpoint policy show prints which action needs which tier. The whole story, with what is not defended, is in docs/governance.md of the package.",
];

const TOPIC_PARTS: Readonly<Record<(typeof TOPICS)[number], readonly TopicPart[]>> = {
  "exit-codes": EXIT_CODES,
  environment: ENVIRONMENT,
  format: FORMAT,
  governance: GOVERNANCE,
};

export function isTopic(name: string): name is keyof typeof TOPIC_PARTS {
  return Object.hasOwn(TOPIC_PARTS, name);
}

export function topicText(name: keyof typeof TOPIC_PARTS, width: number): string {
  const parts = TOPIC_PARTS[name].map((part) => {
    if (typeof part !== "string") return definitions(part, width);
    return part.startsWith(" ") ? part : wrap(part, width);
  });
  return `${parts.join("\n\n")}\n`;
}
