import { NOT_RECORDED } from "../support/programs.ts";
import type { Mutant } from "./mutant.ts";

const GATE = ["src/capabilities/governance/gate/governance.test.ts"];

/** What agents may do, and what the ledger says of it. */
export const GATE_MUTANTS: readonly Mutant[] = [
  {
    guard: "no agent answers what it asked for",
    file: "src/capabilities/governance/gate/decide.ts",
    from: "if (askers.includes(agent)) return `${agent} asked for it, and a person answers`;",
    to: "",
    tests: ["tests/governance/answering.test.ts"],
    only: "even where the policy names it",
  },
  {
    guard: "a refusal is recorded",
    file: "src/capabilities/governance/gate/governance.ts",
    from: "else await this.#deny(answer, admission);",
    to: "",
    tests: GATE,
  },
  {
    guard: "an action's entry is in the commit that it allows",
    ...NOT_RECORDED,
    tests: GATE,
  },
  {
    guard: "an agent shows its token",
    file: "src/capabilities/governance/state/standing.ts",
    from: "token !== undefined && digestOf(token) === record.token",
    to: "token !== digestOf(record.token)",
    tests: GATE,
  },
  {
    guard: "a revoked agent does nothing",
    file: "src/capabilities/governance/gate/decide.ts",
    from: "if (isRevoked) return deny(`${agent} is revoked`);",
    to: "",
    tests: GATE,
  },
  {
    guard: "what hooks save asks the gate",
    file: "src/capabilities/governance/gate/governance.ts",
    from: 'if (answer.decision !== "allow") throw refusal(answer);',
    to: 'if (answer.decision !== "allow" && admission.beginsTurn === undefined) throw refusal(answer);',
    tests: ["tests/governance/one-commit-path.test.ts"],
    only: "is refused for a revoked agent",
    isBuilt: true,
  },
  {
    guard: "a tool call that cannot be decided is denied",
    file: "src/capabilities/governance/project-gate/gate-tool.ts",
    from: "    const answer = refusalOf(error);\n",
    to: "    const answer = refusalOf(error);\n    if (answer === undefined) return NO_OPINION;\n",
    tests: ["tests/governance/gate-hook.test.ts"],
    isBuilt: true,
  },
  {
    guard: "a command's start is recorded before it runs",
    file: "src/capabilities/governance/exec/exec.ts",
    from: `    if (expected.risk === "high") await world.checkpointBefore(starting);
    else await governance.act(starting);
    const startedAt = governance.ledger.at;
    const ran = await runCommand(fixed.argv, { program: fixed.program, cwd: world.cwd, env }, world);
`,
    to: `    const startedAt = governance.ledger.at;
    const ran = await runCommand(fixed.argv, { program: fixed.program, cwd: world.cwd, env }, world);
    if (expected.risk === "high") await world.checkpointBefore(starting);
    else await governance.act(starting);
`,
    tests: ["tests/governance/exec-start.test.ts"],
    isBuilt: true,
  },
];
