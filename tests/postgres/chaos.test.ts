import { cpSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Sandbox } from "../cli/support/sandbox.ts";
import { findPostgres, startServer, type TestServer } from "./support/server.ts";

const EXAMPLE = join(import.meta.dirname, "../../examples/chaos");
const programs = findPostgres();

describe.skipIf(programs === undefined)("checkpoint chaos --workers", () => {
  let server: TestServer;
  let box: Sandbox;
  beforeAll(async () => {
    server = await startServer(programs!);
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    box = new Sandbox();
    cpSync(EXAMPLE, box.folder, { recursive: true });
  });
  afterEach(() => box.remove());

  const store = () => ({ CHECKPOINT_STORE: `${server.url}?schema=chaos` });
  function replay(file: string, events: readonly string[]) {
    box.write("schedule.json", JSON.stringify({ events }));
    const args = ["chaos", file, "--workers", "--replay", "schedule.json", "--json"];
    const { stdout, status } = box.runAlone(args, { env: store() });
    const { struck, findings } = JSON.parse(stdout) as {
      struck: object;
      findings: { invariant: string; reason: string }[];
    };
    return { status, struck, findings };
  }

  it("kills, freezes and cuts off workers, and finds nothing wrong with a correct pipeline", () => {
    expect(box.runAlone(["store", "migrate"], { env: store() })).toMatchObject({ status: 0 });
    const events = ["price#1 kill-after-effect", "charge#1 freeze", "receipt#1 cut-off", "ship#1 twice"];
    expect(replay("chaos-fixed.yaml", events)).toEqual({
      status: 0,
      struck: { "kill-after-effect": 1, freeze: 1, "cut-off": 1, twice: 1 },
      findings: [],
    });
  });

  it("finds that a step is repeated after the worker that had done it was replaced", () => {
    for (const fault of ["freeze", "kill-after-effect"]) {
      const { status, findings } = replay("chaos.yaml", [`charge#1 ${fault}`]);
      expect(status).toBe(1);
      expect(findings.map(({ invariant }) => invariant)).toContain("charged-once");
    }
  });

  it("refuses to strike in a store that holds other work", () => {
    expect(box.runAlone(["now", "--notes", "work"], { env: store() })).toMatchObject({ status: 0 });
    const { status, stdout } = box.runAlone(["chaos", "chaos.yaml", "--workers"], { env: store() });
    expect(status).toBe(1);
    expect(stdout).toContain("name a schema of its own");
  });
});
