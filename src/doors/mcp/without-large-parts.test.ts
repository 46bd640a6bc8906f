import { describe, expect, it } from "vitest";
import { withoutLargeParts } from "./without-large-parts.ts";

describe("withoutLargeParts", () => {
  it("leaves a small state as it is", () => {
    const state = { goal: "x", tasks: [{ id: "1" }] };
    expect(withoutLargeParts(state, undefined)).toEqual({ parts: state, omitted: [] });
  });

  it("leaves out what would flood a context, and says so", () => {
    const { parts, omitted } = withoutLargeParts({ goal: "x", big: "y".repeat(9000) }, undefined);
    expect(parts).toEqual({ goal: "x" });
    expect(omitted).toEqual([{ field: "big", chars: 9002 }]);
  });

  it("holds for all parts together", () => {
    const state = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`part${at}`, "y".repeat(7000)]));
    const { parts, omitted } = withoutLargeParts(state, undefined);
    expect(JSON.stringify(parts).length).toBeLessThan(41_000);
    expect(Object.keys(parts).length + omitted.length).toBe(20);
  });

  it("gives what was asked for by name, whole", () => {
    const state = { goal: "x", big: "y".repeat(100_000) };
    expect(withoutLargeParts(state, ["big", "none"]).parts).toEqual({ big: state.big });
  });
});
