import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Sandbox } from "./support/sandbox.ts";

const WORKFLOW = `name: w
steps:
  - { id: a, run: echo a >> log }
  - { id: b, run: echo b >> log }
  - { id: c, run: "echo c >> log; test -e go" }
`;

const NEWEST = "SELECT object FROM checkpoints ORDER BY sequence DESC LIMIT 1";
/** What becomes of the run's newest checkpoint. */
const DAMAGES = {
  "is damaged": `UPDATE objects SET data = zeroblob(length(data)) WHERE id = (${NEWEST})`,
  "has a damaged state": `UPDATE objects SET data = zeroblob(length(data)) WHERE id = (${NEWEST}) - 1`,
  "has lost its state": `DELETE FROM objects WHERE id = (${NEWEST}) - 1`,
};

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox();
  box.write("w.yaml", WORKFLOW);
  box.run(["run", "w.yaml", "--run-id", "z"]);
  box.write("go", "");
});
afterEach(() => box.remove());

const log = () => readFileSync(join(box.folder, "log"), "utf8").split("\n").join("");
const idsOf = () =>
  (box.json("list", "--trail", "run/z")["checkpoints"] as { checkpoint_id: string }[]).map(
    ({ checkpoint_id }) => checkpoint_id,
  );

function damage(sql: string): void {
  const database = new DatabaseSync(join(box.folder, ".cairn/store.sqlite"));
  database.exec("PRAGMA foreign_keys = OFF");
  expect(database.prepare(sql).run().changes).toBe(1);
  database.close();
}

describe.each(Object.entries(DAMAGES))("a run whose newest checkpoint %s", (_what, sql) => {
  it("is resumed from an earlier one, and put aside", () => {
    const [, whole = ""] = idsOf();
    damage(sql);
    const refused = box.run(["resume", "z"]);
    expect(refused.status).toBe(5);
    expect(refused.stderr).toContain(
      "checkpoint resume z --from ID\nTo put it aside: checkpoint archive z\n",
    );
    expect(box.run(["verify", "--repair"]).stderr).toContain(`checkpoint resume z --from ${whole}\n`);

    expect(box.run(["resume", "z", "--from", whole, "--dry-run"]).stdout).toContain("2 of 3 steps done");
    const { status, stdout, stderr } = box.run(["resume", "z", "--from", whole]);
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(stdout).toContain("z~2  completed  3 of 3 steps");
    expect(stderr).toContain(
      "Its newest state is damaged: it is archived untouched (checkpoint runs --archived).",
    );
    expect(log()).toBe("abcc");
    expect(box.see("resume")).toBe("! Nothing is unfinished.");
    expect(box.see("runs", "--archived")).toMatch(/^z +corrupt/m);
  });

  it("is resumed by the checkpoint alone, and by its place", () => {
    const [, whole = ""] = idsOf();
    damage(sql);
    expect(box.run(["resume", "--from", whole]).stdout).toContain("z~2  completed");
    expect(box.run(["resume", "z", "--from", "@~1"]).stdout).toContain("z~3  completed");
  });

  it("is archived untouched", () => {
    damage(sql);
    const { status, stdout } = box.run(["archive", "z"]);
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^Archived z as z_/)]);
    expect(box.see("runs")).toContain("All runs are archived");
    expect(box.run(["run", "w.yaml", "--run-id", "y"]).status).toBe(0);
    expect(existsSync(join(box.folder, ".cairn/archive"))).toBe(true);
  });
});

it("continues from no checkpoint of another run, which may have come from elsewhere", () => {
  box.run(["run", "w.yaml", "--run-id", "y"]);
  const [first = ""] = idsOf();
  expect(box.see("resume", "y", "--from", first)).toBe(
    `! error: Checkpoint "${first}" belongs to run/z, not to run/y.\n! hint: To continue from it: checkpoint resume --from ${first}\n[exit 2]`,
  );
});
