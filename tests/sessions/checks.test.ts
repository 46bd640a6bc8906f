import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Client, contextOf } from "./support/client.ts";

let client: Client;
beforeEach(() => {
  client = new Client();
});
afterEach(() => client.remove());

describe("a check that Claude Code reports in a batch, as plain text", () => {
  it("fails with its own event, and is cleared by a pass that prints nothing of it", async () => {
    await client.send("claude/post-tool-use-failure-lint");
    await client.send("claude/post-tool-batch-lint-fails");
    expect((await client.state()).checks_failing).toEqual(["npm run lint"]);
    await client.send("claude/post-tool-batch-lint-passes");
    const { checks_failing, commands } = await client.state();
    expect(checks_failing).toEqual([]);
    expect(commands.map(({ ok }) => ok)).toEqual([false, true]);
  });

  it("says nothing if it goes on in the background", async () => {
    await client.send("claude/post-tool-use-failure-lint");
    await client.send("claude/post-tool-batch-background");
    const { checks_failing, commands, session } = await client.state();
    expect(checks_failing).toEqual(["npm run lint"]);
    expect(commands.at(-1)?.ok).toBeNull();
    expect(session?.background).toMatchObject([{ id: "ba3voaeir", status: "running" }]);
  });

  it("passes whatever it printed, since it had no event of a failure", async () => {
    await client.send("claude/post-tool-use-failure-lint");
    const [call] = client.payload("claude/post-tool-batch-lint-passes")["tool_calls"] as object[];
    const tool_response = "> lint\nExit code: 1 is what we want here";
    await client.send("claude/post-tool-batch-lint-passes", { tool_calls: [{ ...call, tool_response }] });
    expect((await client.state()).checks_failing).toEqual([]);
  });

  it("was not run if the client could not use the tool", async () => {
    await client.send("claude/user-prompt-submit");
    const [call] = client.payload("claude/post-tool-batch-refused")["tool_calls"] as object[];
    const tool_response = "<tool_use_error>InputValidationError: Bash failed</tool_use_error>";
    await client.send("claude/post-tool-batch-refused", { tool_calls: [{ ...call, tool_response }] });
    expect(await client.state()).toMatchObject({ checks_failing: [], commands: [] });
  });

  it("was not run if the person refused it", async () => {
    await client.send("claude/user-prompt-submit");
    await client.send("claude/post-tool-batch-refused");
    expect(await client.state()).toMatchObject({ checks_failing: [], commands: [] });
    const written = {
      tool_name: "Write",
      tool_use_id: "toolu_9",
      tool_input: { file_path: "/etc/x", content: "x" },
      tool_response: "Claude requested permissions to write to /etc/x, but you haven't granted it yet.",
    };
    await client.send("claude/post-tool-batch-refused", { tool_calls: [written] });
    expect((await client.state()).files_touched).toEqual([]);
  });
});

it("a check that still fails leaves no work open: a session that ended hands over what was done, and no more", async () => {
  await client.send("claude/user-prompt-submit");
  await client.send("claude/post-tool-use-failure-lint");
  await client.send("claude/session-end");
  expect((await client.state()).checks_failing).toEqual(["npm run lint"]);
  const told = contextOf(await client.send("claude/session-start-startup", { session_id: "another" }));
  expect(told).toContain("Cairn found what was done last in this project");
  expect(told).toContain("That session ended normally");
  expect(told?.length).toBeLessThan(4000);
});
