import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { agentRevoke } from "../../src/capabilities/governance/verbs/agents.ts";
import { sessionEvent } from "../../src/doors/library/project.ts";
import { Governed } from "./support/governed.ts";

let box: Governed;
beforeEach(() => {
  box = new Governed();
});
afterEach(() => box.remove());

async function before(
  tool_name: string,
  tool_input: object,
  env: Record<string, string> = {},
  more: object = {},
) {
  const event = {
    hook_event_name: "PreToolUse",
    session_id: "s",
    cwd: box.folder,
    tool_name,
    tool_input,
    ...more,
  };
  const project = box.as(undefined, env);
  const bytes = Buffer.from(JSON.stringify(event));
  const { stdout } = await sessionEvent(project, bytes, { env: project.env, cwd: box.folder, eventId: "e" });
  if (stdout === "" || stdout === "{}") return "no opinion";
  return (JSON.parse(stdout) as { hookSpecificOutput: { permissionDecision: string } }).hookSpecificOutput
    .permissionDecision;
}

describe("the hook before a tool call", () => {
  it("denies, asks, or has no opinion, by the agent's tier", async () => {
    await box.found();
    const bot = await box.agent("bot", 2);
    expect(await before("Bash", { command: "npm test" }, bot)).toBe("no opinion");
    expect(await before("Edit", { file_path: "a" }, bot)).toBe("no opinion");
    expect(await before("Bash", { command: "terraform apply next.tfplan" }, bot)).toBe("ask");
    expect(await before("Bash", { command: "terraform apply -auto-approve" }, bot)).toBe("deny");
    const low = await box.agent("low", 0);
    expect(await before("Read", { file_path: "a" }, low)).toBe("no opinion");
    expect(await before("Edit", { file_path: "a" }, low)).toBe("deny");
    expect(await before("Bash", { command: "echo $(date)" }, low)).toBe("deny");
    for (const command of [
      "echo $(terraform apply)",
      "cd infra && tofu apply",
      "env ansible-playbook site.yml",
      "TF_VAR_size=9 terraform apply next.tfplan",
    ])
      expect({ command, got: await before("Bash", { command }, bot) }).toEqual({ command, got: "ask" });
    await agentRevoke(box.as(), { agent: "bot", reason: "test" });
    expect(await before("Read", { file_path: "a" }, bot)).toBe("deny");
  });

  it("denies in Codex what Claude Code would ask a person about, because Codex would run it", async () => {
    await box.found();
    const bot = await box.agent("bot", 2);
    const command = "terraform apply next.tfplan";
    expect(await before("Bash", { command }, bot, { turn_id: "1" })).toBe("deny");
    expect(await before("Bash", { command }, bot)).toBe("ask");
  });

  it("has no opinion where the project is not governed", async () => {
    await box.remove();
    box = new Governed({ config: "" });
    expect(await before("Bash", { command: "rm -rf /" })).toBe("no opinion");
  });
});
