import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Sandbox } from "../cli/support/sandbox.ts";

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox();
});
afterEach(() => box.remove());

it("doctor --wait ends once each client that is set up has sent an event", async () => {
  mkdirSync(join(box.home, ".gemini"));
  box.run(["init", "--client", "gemini", "--yes"]);
  const doctor = box.start(["doctor", "--wait", "--json"]);
  const over = new AbortController();
  const ended = doctor.ended.finally(() => over.abort());
  const event = { hook_event_name: "BeforeAgent", session_id: "7d2f", cwd: box.folder, prompt: "Hello" };
  // It may not wait yet when the first one comes.
  for (let tries = 0; tries < 40 && !over.signal.aborted; tries++)
    await box.start(["hook", "--client", "gemini"], { input: JSON.stringify(event) }).ended;
  const { stdout } = await ended;
  const { findings } = JSON.parse(stdout) as { findings: { name: string; level: string; message: string }[] };
  expect(findings.filter(({ name }) => name === "gemini")).toMatchObject([
    { level: "ok" },
    { level: "ok", message: "sent an event while we waited" },
  ]);
});
