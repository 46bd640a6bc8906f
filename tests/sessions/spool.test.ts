import { existsSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CheckpointError } from "../../src/core/errors.ts";
import { Client } from "./support/client.ts";

let client: Client;
beforeEach(async () => {
  client = new Client();
  await client.send("claude/user-prompt-submit");
});
afterEach(() => client.remove());

/** A store that is locked for as long as anybody waits. */
const locked = async (): Promise<never> => {
  throw new CheckpointError("failed", "The store is locked.");
};
const spool = () => join(client.folder, ".cairn/spool");
const waiting = () => (existsSync(spool()) ? readdirSync(spool()) : []);
const later = (prompt: string) => client.payload("claude/user-prompt-submit-later", { prompt });
const instructions = async () => (await client.state()).instructions?.map(({ text }) => text);

describe("an event that cannot be saved", () => {
  it("waits in a private file without secrets, and is saved in its order before the next one", async () => {
    await client.give(later("First, with ghp_0123456789abcdefghijABCDEFGHIJ012345"), { withStore: locked });
    await client.give(later("Second"), { withStore: locked });
    const [file = ""] = waiting();
    expect(waiting()).toHaveLength(2);
    expect(statSync(join(spool(), file)).mode & 0o777).toBe(0o600);
    expect(statSync(spool()).mode & 0o777).toBe(0o700);
    for (const name of waiting()) expect(readFileSync(join(spool(), name), "utf8")).not.toContain("ghp_0123");
    await client.give(later("Third"));
    expect(await instructions()).toEqual([expect.stringMatching(/^First, with /), "Second", "Third"]);
    expect(waiting()).toEqual([]);
  });

  it("is saved once, even if it was saved after all", async () => {
    const eventId = "7f3c2b10-aaaa-4bbb-8ccc-0123456789ab";
    await client.give(later("Only once"), { withStore: locked, eventId });
    await client.give(later("Only once"), { eventId });
    await client.give(later("Only once"), { eventId });
    await client.give(later("Then this"));
    expect(await instructions()).toEqual(["Only once", "Then this"]);
    expect(waiting()).toEqual([]);
  });

  it("is said once, and saved when another session starts, if its own never comes back", async () => {
    const { warning } = await client.give(later("Lost?"), { withStore: locked });
    expect(warning).toContain("Events wait in .cairn/spool");
    expect((await client.give(later("Lost, too?"), { withStore: locked })).warning).toBeUndefined();
    await client.send("claude/session-start-startup", { session_id: "another" });
    expect(await instructions()).toEqual(["Lost?", "Lost, too?"]);
  });

  it("leaves alone what it cannot read, and follows no link", async () => {
    mkdirSync(spool(), { mode: 0o700 });
    writeFileSync(join(spool(), "0000-nonsense.json"), '{"event":7}');
    await client.give(later("Goes on"));
    expect(await instructions()).toEqual(["Goes on"]);
    expect(waiting()).toEqual(["0000-nonsense.json"]);
    const other = new Client();
    try {
      await other.send("claude/user-prompt-submit");
      symlinkSync(spool(), join(other.folder, ".cairn/spool"));
      const { warning } = await other.give(other.payload("claude/user-prompt-submit-later"), {
        withStore: locked,
      });
      expect(warning).toContain("NOT being saved");
      expect(waiting()).toEqual(["0000-nonsense.json"]);
    } finally {
      other.remove();
    }
  });

  it("is not kept back by a file that looks like an event and is none", async () => {
    mkdirSync(spool(), { mode: 0o700 });
    const event = { client: "claude", name: "PostToolUse", moment: "tool", sessionId: "x", fields: {} };
    const planted = { id: "1", at: "2026-01-23T12:00:00.000Z", event, facts: { calls: 5 } };
    writeFileSync(join(spool(), "0000-planted.json"), JSON.stringify(planted));
    const { warning } = await client.send("claude/session-start-startup", { session_id: "another" });
    expect(warning).toBeUndefined();
    expect(await client.state("session/another")).toBeDefined();
    expect(waiting()).toEqual(["0000-planted.json"]);
  });

  it("is said again when events no longer wait but are lost", async () => {
    expect((await client.give(later("Waits"), { withStore: locked })).warning).toContain("Events wait");
    const eventId = "x".repeat(300); // No file can have this name, so that writing it fails.
    const { warning } = await client.give(later("Lost"), { withStore: locked, eventId });
    expect(warning).toContain("This session is NOT being saved");
  });

  it("does not wait long for a store that was locked just now", async () => {
    const never = async () => Promise.withResolvers<never>().promise;
    await client.give(later("First"), { withStore: locked, now: () => new Date() });
    await client.give(later("Second"), { withStore: never, now: () => new Date() });
    expect(readFileSync(join(client.folder, ".cairn/hooks.log"), "utf8")).toContain(
      "the store did not answer within 300 ms.",
    );
    expect(waiting()).toHaveLength(2);
  });
});
