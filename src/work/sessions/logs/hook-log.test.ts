import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { clientsSeenSince, noteEvent } from "./hook-log.ts";

it("a client was seen if an event of it was kept, not if it was lost or not understood", () => {
  const root = mkdtempSync(join(tmpdir(), "cairn-log-"));
  mkdirSync(join(root, ".cairn"), { mode: 0o700 });
  const since = new Date("2026-01-23T12:00:00Z");
  const note = (client: string, outcome: Parameters<typeof noteEvent>[1]["outcome"], at = since) =>
    noteEvent(root, { at, client, event: "Stop", outcome, what: "" });
  note("claude", "failed");
  note("codex", "ignored");
  note("gemini", "spooled");
  note("cursor", "unchanged");
  note("copilot", "saved", new Date(since.getTime() - 1));
  expect([...clientsSeenSince(root, since)]).toEqual(["gemini", "cursor"]);
  rmSync(root, { recursive: true });
});
