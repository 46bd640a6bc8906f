import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Sandbox } from "./support/sandbox.ts";

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox();
  box.write("cairn.yaml", "governance: on\n");
});
afterEach(() => box.remove());

describe("what a newcomer to governance is told", () => {
  it("says that there is nothing, instead of printing nothing", () => {
    box.write("cairn.yaml", "");
    box.run(["now"]);
    expect(box.see("ledger")).toMatchInlineSnapshot(`"! The ledger has no such entries."`);
    expect(box.see("evidence", "list")).toMatchInlineSnapshot(
      `"! No evidence yet: checkpoint exec -- COMMAND keeps it."`,
    );
    expect(box.see("agent", "list")).toMatchInlineSnapshot(`
      "! error: This project is not governed.
      ! hint: Put "governance: on" into cairn.yaml. What that means: checkpoint help governance
      [exit 2]"
    `);
  });

  it("names the option that is missing, which is not the same everywhere", () => {
    expect(box.see("policy", "check", "exec.npm")).toMatchInlineSnapshot(`
      "! error: A tier is a number from 0 to 4: --tier N
      ! hint: T0 observe, T1 work, T2 run, T3 infrastructure, T4 administer
      [exit 2]"
    `);
    expect(box.see("agent", "promote", "bob")).toMatchInlineSnapshot(`
      "! error: A tier is a number from 0 to 4: --to N
      ! hint: T0 observe, T1 work, T2 run, T3 infrastructure, T4 administer
      [exit 2]"
    `);
  });

  it("explains a policy in its own words, in columns", () => {
    expect(box.see("policy", "explain", "exec.npm")).toMatchInlineSnapshot(`
      "match: exec.*
      tier: 2

      T0  deny   it needs T2, and this is T0
      T1  deny   it needs T2, and this is T1
      T2  allow  T2 may do this
      T3  allow  T3 may do this
      T4  allow  T4 may do this
      ! Created PROJECT/.cairn, which keeps itself out of git."
    `);
  });

  it("asks for no passphrase of a key that is not there", () => {
    box.run(["agent", "register", "bob"]);
    expect(box.see("agent", "promote", "bob", "--to", "2", "--passphrase-file", "none"))
      .toMatchInlineSnapshot(`
        "! error: This store has no authority yet.
        ! hint: To make its key: checkpoint authority init
        [exit 3]"
      `);
  });

  it("doctor names the newest work, not the ledger's own trail", () => {
    box.run(["now"]);
    expect(box.run(["agent", "register", "bob"]).status).toBe(0);
    expect(box.run(["doctor"]).stdout).toMatch(/ok {4}clock {6}the newest checkpoint is from .*, on main/);
  });

  it("lists what may follow the first word of several commands", () => {
    expect(box.see("ledger", "--help")).toContain("checkpoint ledger --agent");
    expect(box.see("policy", "--help")).toMatchInlineSnapshot(`
      "  policy show     Show the policy in force
        policy check    Show what the policy would answer for a tier
        policy explain  Show which rule decides an action, and what each tier may do
        policy accept   Put cairn.policy.yaml into force, signed by the authority

      checkpoint policy show --help shows examples and options."
    `);
  });
});
