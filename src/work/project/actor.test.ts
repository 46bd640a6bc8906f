import { describe, expect, it } from "vitest";
import { actorOf, findSession } from "./actor.ts";

describe("findSession", () => {
  it("finds the session that a client names in the environment", () => {
    expect(findSession({ CODEX_THREAD_ID: "", CODEX_SESSION_ID: "1" })).toEqual({ id: "1", client: "codex" });
    expect(findSession({ CLAUDE_CODE_SESSION_ID: "" })).toBeUndefined();
  });
});

describe("actorOf", () => {
  it("signs what is typed in the shell of an agent client as the client's, and all else as a person's", () => {
    expect(actorOf({ CLAUDECODE: "1" }).signature).toBe("agent:claude-code");
    expect(actorOf({ CODEX_SANDBOX: "1" }).signature).toBe("agent:codex");
    expect(actorOf({}).signature).toBe("person");
  });
});
