import { describe, expect, it } from "vitest";

import { nextTurns } from "./turns.ts";

const NOW = new Date("2026-06-01T12:00:00Z");
const open = { turn: 1, isOpen: true, at: "2026-06-01T11:59:00Z" };
const killed = new Set(["a"]);
const moment = (id: string, turn: "begins" | "ends") => ({ id, client: "claude-code", turn });

describe("a session that was killed in the middle of its turn", () => {
  it("did what is found at the next moment, and nothing after it", () => {
    const first = nextTurns({ a: open }, moment("b", "begins"), NOW, killed);
    expect(first.by).toEqual(["a"]);
    expect(first.sessions["a"]?.isOpen).toBe(false);
    const second = nextTurns(first.sessions, moment("b", "ends"), NOW, killed);
    expect(second.by).toEqual(["b"]);
  });

  it("counts as one of two as long as it may be alive", () => {
    const first = nextTurns({ a: open }, moment("b", "begins"), NOW);
    expect(nextTurns(first.sessions, moment("b", "ends"), NOW).by).toEqual(["a", "b"]);
  });
});
