import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openCairn } from "../../src/work/state/cairn.ts";
import { clone, push } from "../../src/capabilities/sync/commands/sync.ts";
import type { Context } from "../../src/work/terminal/context.ts";
import { Output } from "../../src/work/terminal/output.ts";
import * as verbs from "../../src/doors/library/project.ts";
import { headsOf, Machines, stateOf, type TestMachine } from "./support/machine.ts";

let [machines, laptop]: [Machines, TestMachine] = [] as never;
beforeEach(() => {
  machines = new Machines();
  laptop = machines.add("laptop");
});
afterEach(() => machines.remove());

describe("a backup", () => {
  it("is one whole state of the store, taken while others write", async () => {
    for (let i = 0; i < 50; i++)
      await verbs.setVariable(laptop.project, { key: `k${i}`, value: "x".repeat(500) });
    const before = (await headsOf(laptop))["main"];
    // Another handle, as another process has one.
    const other = await openCairn({ path: laptop.project.folder });
    const stop = new AbortController();
    const saved: string[] = [];
    const writing = (async () => {
      while (!stop.signal.aborted) {
        const commit = await other
          .trail("main")
          .commit((state) => void (state.variables["n"] = `${saved.length}`));
        saved.push(commit.content_hash);
      }
    })();
    await expect.poll(() => saved.length).toBeGreaterThan(2);
    // One of a small store may fall between two commits; then another is taken.
    let [file, checkpoints, others] = ["", 0, 0];
    for (let tries = 1; tries <= 100 && others === 0; tries++) {
      const started = saved.length;
      file = join(machines.folder, `${tries}.backup`);
      ({ checkpoints } = await verbs.backup(laptop.project, { file }));
      others = saved.length - started;
    }
    stop.abort();
    await writing;
    await other.close();
    expect(others).toBeGreaterThan(0);
    const desk = machines.add("desk");
    await verbs.backupRestore(desk.project, { file });
    expect((await verbs.verify(desk.project, {})).damage).toEqual([]);
    const head = (await headsOf(desk))["main"] ?? "";
    expect([before, ...saved]).toContain(head);
    expect(checkpoints).toBe(50 + saved.indexOf(head) + 1);
  });
});

describe("push and clone at a terminal", () => {
  /** What somebody sees who has waited for a while. */
  function terminal() {
    const shown: string[] = [];
    const say = (text: string | Uint8Array) => void shown.push(String(text));
    const streams = {
      out: say,
      err: say,
      isOutTerminal: true,
      isErrTerminal: true,
      columns: 120,
      isUtf8: true,
    };
    const options = { json: false, quiet: false, isOutColoured: false, isErrColoured: false };
    const clock = vi.spyOn(process, "uptime").mockReturnValue(0);
    const output = new Output(streams, { command: "push", ...options });
    clock.mockReturnValue(2);
    return { shown, output, end: () => clock.mockRestore() };
  }

  it("shows a bar that fills, and says beforehand what would go", async () => {
    for (let i = 0; i < 12; i++) await verbs.setVariable(laptop.project, { key: "k", value: `${i}` });
    await verbs.remoteAdd(laptop.project, { name: "origin", url: machines.url });
    const desk = machines.add("desk");
    const contextOf = ({ project }: TestMachine) => ({ project }) as unknown as Context;
    for (const [dryRun, word] of [
      [true, "would go"],
      [false, "pushed"],
    ] as const) {
      const { shown, output, end } = terminal();
      await push(contextOf(laptop), { dryRun, full: false } as never, output);
      end();
      expect(shown.join("")).toContain("[####################] Sent 12 of 12 checkpoints of main");
      expect(shown.at(-1)).toContain(word);
      expect(existsSync(join(machines.folder, "share", "heads", "main"))).toBe(!dryRun);
    }
    const { shown, output, end } = terminal();
    await clone(contextOf(desk), { url: machines.url } as never, output);
    end();
    expect(shown.join("")).toContain("[##########----------] Fetched 6 of 12 checkpoints of main");
    expect((await stateOf(desk)).variables).toMatchObject({ k: "11" });
  });
});
