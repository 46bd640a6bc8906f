import type { CommandFunction } from "../../work/terminal/command.ts";
import { TRAIL, WRITING, choice, required, rest, text } from "../../work/verbs/command-words.ts";
import * as json from "../../work/verbs/json-schema.ts";
import type { UntypedVerb, VerbEntry, VerbTable } from "../../work/verbs/spec.ts";
import { AGENTS } from "./agent-verbs.ts";
import { RECORDS } from "./record-verbs.ts";
import { TIER } from "./results.ts";

const WHO = { agent: WRITING.agent } as const;

/** Verbs about who did what, with what permission. */
export const GOVERNANCE = {
  gate: {
    about: "Ask whether an action would be allowed now",
    examples: [
      ["checkpoint gate exec.npm", "allow, ask or deny, with the reasons; status 4 unless it is allowed"],
      ["checkpoint gate infra.terraform.apply --agent deployer", "for an agent"],
    ],
    arguments: { action: required("ACTION", "The action, for example exec.npm") },
    options: { ...WHO },
    details: "Needs governance: on in cairn.yaml. What the actions are called: checkpoint policy show.",
    result: () =>
      json.fields({
        decision: json.enumOf("allow", "ask", "deny"),
        reasons: json.texts,
        risk: json.enumOf("low", "high"),
        action: json.text,
        agent: json.text,
        tier: TIER,
        attested: json.flag,
      }),
    tool: "an agent types checkpoint gate before what it does in the shell; tools ask the gate themselves",
    page: "the page's own actions ask the gate when they are done",
  },
  exec: {
    about: "Run a command if the gate allows it, and keep the evidence",
    examples: [
      ["checkpoint exec -- npm test", "its output and status are passed on"],
      ["checkpoint exec --risk high -- ./migrate.sh", "with a checkpoint before it in any case"],
      ["checkpoint exec -- terraform apply next.tfplan", "only the plan that was approved"],
    ],
    arguments: { command: rest("COMMAND", "The command, after --") },
    options: {
      action: text("NAME", "What it is for; what this needs is needed too"),
      risk: choice(["low", "high"], "How much it could break"),
      ...WHO,
      ...TRAIL,
    },
    details:
      "No shell reads the words. The command's exit status is passed on; what the gate refuses is not started, and told by a line of JSON on stderr and status 4.",
    result: () => json.fields({ evidence: json.text, exit_code: json.count, not_saved: json.nullableText }),
  },
  ...AGENTS,
  ...RECORDS,
} as const satisfies Record<string, VerbEntry | UntypedVerb>;

const NOT_FOR_AGENTS =
  "governance is for the person who answers for the agents: what an agent may do it learns when it acts, and checkpoint gate tells it before";
const TYPED = "the page shows what governance knows; changes are made by command";

export const VERBS: readonly VerbTable[] = [
  {
    group: "governance",
    entries: GOVERNANCE,
    tool: NOT_FOR_AGENTS,
    page: TYPED,
    load: (file) => import(`./commands/${file}.ts`) as Promise<object>,
  },
];

/** A command of this capability, by its name. */
export type GovernanceCommand<Name extends keyof typeof GOVERNANCE> = CommandFunction<
  (typeof GOVERNANCE)[Name]
>;
