import { describe, expect, it } from "vitest";
import { findSession } from "./actor.ts";

describe("findSession", () => {
  it("finds the session that a client names in the environment", () => {
    expect(findSession({ CODEX_THREAD_ID: "", CODEX_SESSION_ID: "1" })).toEqual({ id: "1", client: "codex" });
    expect(findSession({ CLAUDE_CODE_SESSION_ID: "" })).toBeUndefined();
  });
});
