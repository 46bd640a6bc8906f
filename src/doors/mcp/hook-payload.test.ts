import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hookPayload } from "./hook-payload.ts";

describe("hookPayload", () => {
  it("leaves out what the event does not have, which arrives as an empty text", () => {
    expect(hookPayload({ session_id: "s", prompt: "", agent_id: "", cwd: "/x" })).toEqual({
      session_id: "s",
      cwd: "/x",
    });
    expect(hookPayload({ session_id: "s", model: "${model}" })).toEqual({ session_id: "s" });
  });

  it("takes structures as they are, and as text", () => {
    const calls = [{ tool_name: "Bash", tool_input: { command: "ls" } }];
    expect(hookPayload({ tool_calls: calls })).toEqual({ tool_calls: calls });
    expect(hookPayload({ tool_calls: JSON.stringify(calls), stop_hook_active: "true" })).toEqual({
      tool_calls: calls,
      stop_hook_active: true,
    });
  });

  it("takes the whole event at once, as an object or as text", () => {
    const event = { session_id: "s", hook_event_name: "Stop", tool_input: { a: [1] } };
    expect(hookPayload({ payload: event })).toEqual(event);
    expect(hookPayload({ payload: JSON.stringify(event) })).toEqual(event);
    expect(hookPayload({ payload: event, session_id: "t" })).toEqual({ ...event, session_id: "t" });
  });

  it("never makes anything else of what a person wrote", () => {
    for (const prompt of ['{"a": 1}', "[1]", "true"])
      expect(hookPayload({ prompt, last_assistant_message: prompt })).toEqual({
        prompt,
        last_assistant_message: prompt,
      });
  });

  it("keeps texts that only begin like JSON", () => {
    expect(hookPayload({ tool_response: "{not json", note: "[x" })).toEqual({
      tool_response: "{not json",
      note: "[x",
    });
  });

  it("takes anything without failing, and without touching prototypes", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (fields) => {
        expect(Object.getPrototypeOf(hookPayload(fields))).toBe(Object.prototype);
      }),
    );
    expect(
      hookPayload(JSON.parse('{"__proto__": {"polluted": true}}') as object as never),
    ).not.toHaveProperty("polluted");
  });
});
