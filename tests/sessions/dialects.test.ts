import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Client } from "./support/client.ts";

let client: Client;
beforeEach(() => {
  client = new Client();
});
afterEach(() => client.remove());

// The payloads are those that the clients document; nobody recorded them.

describe("Cursor", () => {
  const trail = "session/5f0c2d1e-2222-4b7f-9a53-000000000002";

  it("is captured: the prompt, commands with their exit code, and edits", async () => {
    for (const name of ["session-start", "before-submit-prompt", "post-tool-use-shell", "after-file-edit"])
      await client.send(`cursor/${name}`);
    await client.send("cursor/after-file-edit", { file_path: `${client.folder}/src/form.ts` });
    await client.send("cursor/post-tool-use-failure");
    await client.send("cursor/post-tool-use-failure-denied");
    const state = await client.state(trail);
    expect(state).toMatchObject({
      goal: "Build the login page",
      files_touched: ["src/login.ts", "src/form.ts"],
      checks_failing: ["npm test", "npm run build"],
      commands: [
        { argv: ["npm", "test"], ok: false },
        { argv: ["npm", "run", "build"], ok: false },
      ],
      session: { client: "cursor", status: "running", model: "claude-sonnet-4-20250514" },
    });
    expect(state.commands).toHaveLength(2);
    await client.send("cursor/pre-compact");
    await client.send("cursor/stop");
    expect((await client.state(trail)).session).toMatchObject({ status: "idle", compactions: 1 });
    await client.send("cursor/stop-error");
    expect((await client.state(trail)).session).toMatchObject({ status: "failed" });
  });

  it("belongs to the project of its workspace, since its hooks run elsewhere", async () => {
    await client.give(client.payload("cursor/before-submit-prompt"), { cwd: client.home });
    expect((await client.state(trail)).goal).toBe("Build the login page");
    expect((await client.load(trail)).state.session).toMatchObject({ cwd: client.folder });
  });

  it("never holds a prompt back, not even one that is not understood", async () => {
    for (const payload of ["", "{", {}, { hook_event_name: "beforeSubmitPrompt", prompt: "x" }])
      expect((await client.give(payload, { client: "cursor" })).stdout).toBe('{"continue":true}');
  });
});

describe("Copilot CLI", () => {
  const trail = "session/6a1e3f2d-4444-4d8f-8b64-000000000004";
  const send = async (name: string, changes = {}) =>
    client.give(client.payload(`copilot/${name}`, changes), { client: "copilot" });

  it("is captured: the prompt, commands by their output, and edits", async () => {
    for (const name of ["session-start", "user-prompt-submit", "post-tool-use-shell", "post-tool-use-edit"])
      await send(name);
    await send("post-tool-use-failure");
    expect(await client.state(trail)).toMatchObject({
      goal: "Build the login page",
      files_touched: ["src/login.ts"],
      checks_failing: ["npm test", "npm run build"],
      session: { client: "copilot-cli", status: "running" },
    });
    await send("pre-compact");
    await send("stop");
    expect((await client.state(trail)).session).toMatchObject({ status: "idle", compactions: 1 });
    await send("session-end");
    expect((await client.state(trail)).session).toMatchObject({ status: "ended" });
  });

  it("fails by an error that ends its work, not by one that it gets over", async () => {
    await send("user-prompt-submit");
    await send("error-occurred", { recoverable: true });
    expect((await client.state(trail)).session).toMatchObject({ status: "running" });
    await send("error-occurred");
    expect((await client.state(trail)).session).toMatchObject({
      status: "failed",
      error: "The model is overloaded",
    });
  });
});
