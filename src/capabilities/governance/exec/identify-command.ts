import { basename } from "node:path";
import { CheckpointError } from "../../../core/errors.ts";
import type { Risk } from "../policy/policy.ts";

/** What a command is to the gate. */
export interface IdentifiedCommand {
  /** `exec.NAME`, or what an infrastructure tool is told to do. */
  readonly action: string;
  readonly risk: Risk;
  readonly tool?: "terraform" | "ansible";
  /** For terraform: where the plan that is applied, or written, stands in the arguments. */
  readonly planAt?: number;
  readonly plan?: string;
}

/** Finds out what a command does, from its words alone. A renamed program, or a shell, is a program like any other. */
export function identifyCommand(argv: readonly string[]): IdentifiedCommand {
  const [program = "", ...args] = argv;
  const name = basename(program).replace(/\.exe$/i, "");
  if (name === "terraform" || name === "tofu") return terraform(args);
  if (name === "ansible-playbook") return ansible(args);
  // What starts another program, or reads a line of commands, must not hide a tool that needs more.
  if (STARTS_OTHERS.test(name) && args.some((word) => INFRASTRUCTURE.test(word)))
    return { action: `infra.${name}`, risk: "high" };
  return { action: `exec.${name.replaceAll(/[^\w.-]/g, "_") || "unnamed"}`, risk: "low" };
}

const STARTS_OTHERS =
  /^(?:(?:ba|da|z|k|fi)?sh|env|sudo|doas|su|nice|nohup|timeout|setsid|stdbuf|time|xargs|command|exec|busybox|npx|bunx)$/;
const INFRASTRUCTURE = /(?<![\w.-])(?:terraform|tofu|ansible(?:-playbook)?)(?![\w.-])/;

/** Words of terraform that change nothing outside of the project. */
const READING = ["plan", "validate", "fmt", "init", "show", "output", "version", "providers", "graph", "get"];

/** What `apply` may be told besides the plan: nothing that changes what is applied, or where. */
const HARMLESS =
  /^-(?:auto-approve|input=false|no-color|compact-warnings|json|parallelism=\d+|lock-timeout=\w+)$/;

function terraform(args: readonly string[]): IdentifiedCommand {
  const at = args.findIndex((word) => !word.startsWith("-"));
  const verb = args[at] ?? "version";
  const rest = args.slice(at + 1);
  if (verb === "plan") {
    const out = rest.findIndex((word) => /^--?out=/.test(word));
    const plan = out < 0 ? {} : { planAt: at + 2 + out, plan: rest[out]?.replace(/^--?out=/, "") ?? "" };
    return { action: "infra.terraform.plan", risk: "low", tool: "terraform", ...plan };
  }
  if (READING.includes(verb)) return { action: "infra.terraform.plan", risk: "low", tool: "terraform" };
  if (verb !== "apply")
    return { action: `infra.terraform.${verb.replaceAll(/\W/g, "_")}`, risk: "high", tool: "terraform" };
  const plans = rest.filter((word) => !word.startsWith("-"));
  const [plan] = plans;
  const isHarmless = rest.every((word) => !word.startsWith("-") || HARMLESS.test(word));
  if (plan === undefined || plans.length > 1 || !isHarmless) throw planFirst();
  const planAt = at + 2 + rest.indexOf(plan);
  return { action: "infra.terraform.apply", risk: "high", tool: "terraform", planAt, plan };
}

function ansible(args: readonly string[]): IdentifiedCommand {
  // What comes after -- is a playbook, whatever it is called, and -eC=1 is a variable C.
  const options = args.slice(0, [...args, "--"].indexOf("--"));
  const reading = /^(?:--(?:check|syntax-check|list-\w+|version|help)$|-[bDhJkKv]*C)/;
  return options.some((word) => reading.test(word))
    ? { action: "infra.ansible.plan", risk: "low", tool: "ansible" }
    : { action: "infra.ansible.apply", risk: "high", tool: "ansible" };
}

function planFirst(): CheckpointError {
  return new CheckpointError("refused", "Only a plan that was written before can be applied.", {
    hint: "checkpoint exec -- terraform plan -out=next.tfplan, have it approved, then: checkpoint exec -- terraform apply next.tfplan",
    details: { refused: true },
  });
}
