import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Client, contextOf } from "./support/client.ts";

let client: Client;
beforeEach(async () => {
  client = new Client();
  await client.send("claude/user-prompt-submit");
  await client.send("claude/post-tool-batch");
});
afterEach(() => client.remove());

const resume = async () => contextOf(await client.send("claude/session-start-resume"));

/** All that a resume says if nothing changed. */
const CURRENT =
  /^Cairn's record of your session, which you were given before \(checkpoint ckpt-[\w-]+\), is still current\.$/;

describe("a conversation that is resumed again and again", () => {
  it("gets its record once, and then a line that it is current", async () => {
    const first = await resume();
    expect(first).toContain("Cairn kept this record of your session");
    for (let time = 0; time < 3; time++) {
      await client.send("claude/user-prompt-submit-later");
      await client.send("claude/stop");
      expect(await resume()).toMatch(CURRENT);
    }
  });

  it("gets that line with a task in progress too, and never hears that no agent works on it", async () => {
    await client.send("claude/post-tool-batch-todos");
    const first = await resume();
    expect(first).toContain("(in_progress)");
    expect(first).not.toContain("no live agent");
    for (let time = 0; time < 3; time++) expect(await resume()).toMatch(CURRENT);
  });

  it("gets that line without another checkpoint, until it is compacted", async () => {
    expect(await resume()).toContain("Build the login page");
    const saved = (await client.history()).length;
    for (let time = 0; time < 3; time++) expect(await resume()).toMatch(CURRENT);
    expect(await client.history()).toHaveLength(saved);
    await client.send("claude/pre-compact");
    expect(await resume()).toContain("Build the login page");
  });

  it("hears once of a sub-agent that was lost", async () => {
    await resume();
    await client.send("claude/subagent-start");
    expect(await resume()).toContain("(interrupted)");
    expect(await resume()).toMatch(CURRENT);
  });

  it("is told only what others changed since", async () => {
    await resume();
    await client.change((state) => {
      state.decisions.push({ what: "Use sessions, not tokens", why: null });
      state.blockers.push({ text: "the schema is missing" });
    });
    const text = await resume();
    expect(text).toContain("has changed since");
    expect(text).toContain("Use sessions, not tokens");
    expect(text).not.toContain("Build the login page");
    expect(text).not.toContain("Cairn kept this record");
    expect(text).not.toContain("Not recorded");
    await client.change((state) => {
      state.blockers = [];
      state.next_action = "Write the migration";
    });
    const later = await resume();
    expect(later).toContain("Write the migration");
    expect(later).toContain("has changed since, in: next action, blockers.");
    expect(later).not.toContain("Use sessions, not tokens");
  });
});

it("a compaction that the person asked for gets a line, since it stays in the conversation", async () => {
  const { stdout } = await client.send("claude/pre-compact", { trigger: "manual" });
  expect(stdout).toMatch(/^Cairn saved checkpoint ckpt-[\w-]+,/);
  expect(stdout.length).toBeLessThan(300);
  expect((await client.send("claude/pre-compact", { trigger: "auto" })).stdout).toContain(
    "Build the login page",
  );
});
