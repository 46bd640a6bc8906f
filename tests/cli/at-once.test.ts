import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Sandbox } from "./support/sandbox.ts";
import { until } from "./support/until.ts";

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox();
});
afterEach(() => box.remove());

describe("several at once", () => {
  it("loses nothing, whoever is quicker", async () => {
    const started = Array.from({ length: 6 }, (_, index) => box.start(["task", "add", `Task ${index}`]));
    const statuses = (await Promise.all(started.map(({ ended }) => ended))).map(({ status }) => status);
    expect(statuses).toEqual([0, 0, 0, 0, 0, 0]);
    const tasks = box.json("task", "list")["tasks"] as { id: string; subject: string }[];
    expect(tasks.map(({ id }) => id).toSorted()).toEqual(["1", "2", "3", "4", "5", "6"]);
    expect(new Set(tasks.map(({ subject }) => subject)).size).toBe(6);
    expect(box.run(["verify"]).status).toBe(0);
  });

  it("keeps every note of one agent, in the trail and in its file", async () => {
    const texts = ["a", "b", "c", "d"].map((who) => [1, 2, 3].map((number) => `${who}${number}`));
    const noteAll = async (own: string[]) => {
      for (const text of own) {
        const { ended } = box.start(["progress", "note", "--feature", "f", "--agent", "x", text]);
        expect(await ended).toMatchObject({ status: 0 });
      }
    };
    await Promise.all(texts.map(noteAll));
    const { progress } = JSON.parse(
      box.run(["progress", "note", "--feature", "f", "--agent", "x", "last", "--json"]).stdout,
    ) as { progress: { notes: { text: string }[] } };
    expect(progress.notes.map(({ text }) => text).toSorted()).toEqual([...texts.flat(), "last"].toSorted());
    const file = readFileSync(join(box.folder, "docs/progress/f-x.md"), "utf8");
    for (const text of texts.flat()) expect(file).toContain(`] ${text}\n`);
  });
});

describe("interrupted", () => {
  it("watch saves while something changes, and Ctrl-C ends it with nothing half done", async () => {
    box.git("init", "-q", "-b", "main");
    const { child, ended, output, messages } = box.start(["watch", "--every", "1s"]);
    await until("it has saved", () => output().split("\n").length === 2);
    box.write("new.txt", "x");
    await until("it has saved again", () => output().split("\n").length === 3);
    child.kill("SIGINT");
    const { status } = await ended;
    expect(status).toBe(130);
    expect(messages()).toContain("Stopped: 2 checkpoints saved.");
    expect(box.json("list")["checkpoints"]).toMatchObject([{ trigger: "watch" }, { trigger: "watch" }]);
    expect(box.run(["verify"]).status).toBe(0);
  });

  it("watch saves nothing while only times change, be there a secret in what it sees", async () => {
    const { promise: thirdLook, resolve } = Promise.withResolvers<void>();
    let looks = 0;
    const service = createServer((socket) => {
      socket.end();
      if (++looks === 3) resolve();
    }).listen(0, "127.0.0.1");
    await once(service, "listening");
    const { port } = service.address() as AddressInfo;
    box.git("init", "-q", "-b", "main");
    box.write("ACME-ABCDEFGH.txt", "x");
    box.write(
      "cairn.yaml",
      `redact:\n  patterns:\n    - name: acme\n      pattern: ACME-[A-Z]{8}\n` +
        `dependencies:\n  - name: api\n    type: tcp\n    endpoint: 127.0.0.1:${port}\n`,
    );
    box.run(["config", "--accept-patterns"]);
    const { child, ended, messages } = box.start(["watch", "--every", "1s"]);
    await thirdLook;
    child.kill("SIGINT");
    await ended;
    service.close();
    expect(messages()).toContain("Stopped: 1 checkpoint saved.");
    expect(messages().match(/secret/g)).toHaveLength(1);
  });

  it("watch ends with an error when the store is deleted under it", async () => {
    box.git("init", "-q", "-b", "main");
    const { ended, output } = box.start(["watch", "--every", "1s"]);
    await until("it has saved", () => output().split("\n").length === 2);
    rmSync(join(box.folder, ".cairn"), { recursive: true });
    box.write("new.txt", "x");
    const { status, stdout, stderr } = await ended;
    expect({ status, saved: stdout.trimEnd().split("\n").length }).toEqual({ status: 1, saved: 1 });
    expect(box.stable(stderr)).toContain(
      'error: "PROJECT/.cairn/store.sqlite" was deleted, moved, replaced or truncated while the store was in use.',
    );
  });

  it("any command ends at once with status 130, and the store is whole", async () => {
    box.run(["now"]);
    for (let round = 0; round < 3; round++) {
      const { child, ended } = box.start(["set", "n", String(round)]);
      await wait(20 + round * 25);
      child.kill("SIGINT");
      const { status } = await ended;
      // Too early for our own handler, it dies by the signal itself; too late, it had already saved.
      expect([0, 130, null]).toContain(status);
    }
    expect(box.run(["verify"]).status).toBe(0);
  });

  it("survives a reader that stops reading", async () => {
    box.run(["set", "n", "x".repeat(100_000)]);
    const { child, ended } = box.start(["load", "--json"]);
    child.stdout.destroy();
    const { status, stderr } = await ended;
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });
});
