import type { Shape } from "../shape/shape.ts";
import { read } from "../shape/read.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { JsonObject } from "../../core/objects/json.ts";
import { FIELD_NAMES, FIELDS } from "./fields.ts";
import { emptyWorkState, readWorkState } from "./work-state.ts";

const task = { id: "1", subject: "Build", status: "pending", owner: null, blocks: [], blocked_by: [] };

describe("a state as our code reads it", () => {
  it("is the stored one where that is in the form of the table, without a copy of its lists", () => {
    const stored = { ...emptyWorkState(), goal: "Ship", tasks: [task], mine: { kept: true } };
    const state = readWorkState(stored);
    expect(state).toEqual(stored);
    expect(state.tasks).toBe(stored.tasks);
  });

  it("lacks a field that is something else, and has the lists that the state lacks", () => {
    const state = readWorkState({ goal: ["no text"], tasks: "none", phase: { number: 3 }, variables: [1] });
    expect(state).toEqual(emptyWorkState());
  });

  it("leaves out entries that do not fit, and what is wrong in others", () => {
    const { tasks, dependencies } = readWorkState({
      tasks: [null, "x", {}, { id: 7, owner: {}, blocked_by: ["1", {}], evidence: 3, mine: 1 }],
      dependencies: [{ status: "down" }, { name: "db" }],
    });
    expect(tasks).toEqual([
      { ...task, id: "7", subject: "(no subject)", blocked_by: ["1"], evidence: "3", mine: 1 },
    ]);
    expect(dependencies).toMatchObject([{ name: "db", status: "unknown" }]);
  });

  it("keeps the numbers of rules, decisions and blockers, whatever they are", () => {
    const entries = [null, "be kind", { name: "a name", by: "person" }, { text: "" }, ["x"]];
    const texts = ["null", "be kind", "a name", '{"text":""}', '["x"]'];
    const { constraints, blockers, decisions } = readWorkState({
      constraints: entries,
      blockers: entries,
      decisions: entries,
    });
    expect(constraints.map(({ text }) => text)).toEqual(texts);
    expect(constraints[2]).toMatchObject({ by: "person" });
    expect(blockers).toEqual(constraints);
    expect(decisions.map(({ what }) => what)).toEqual(texts);
  });

  it("is in the form of the table and leaves what is stored alone, for any JSON", () => {
    const entry = fc.oneof(
      fc.jsonValue(),
      fc.record({ id: fc.jsonValue(), subject: fc.jsonValue(), text: fc.jsonValue(), name: fc.jsonValue() }),
    );
    const fields = fc.record(
      Object.fromEntries(FIELD_NAMES.map((name) => [name, fc.oneof(entry, fc.array(entry))])),
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(fields, fc.jsonValue()), (stored) => {
        const before = JSON.stringify(stored);
        const state: JsonObject = readWorkState(stored) as unknown as JsonObject;
        expect(JSON.stringify(stored)).toBe(before);
        for (const name of FIELD_NAMES.filter((each) => each in state))
          expect(read(FIELDS[name].shape as Shape, state[name])).toBe(state[name]);
        expect(Object.keys(state)).toEqual(expect.arrayContaining(Object.keys(emptyWorkState())));
      }),
    );
  });
});
