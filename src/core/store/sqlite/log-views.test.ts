import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { changeOf } from "../../../testing/store/samples.ts";
import { openSqliteStore } from "../sqlite.ts";

it("shows the log to people with a SQL shell, and the store opens again with the views in it", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "views-")), "store.sqlite");
  const store = await openSqliteStore({ path });
  const log = [
    { type: "action", at: "2026-01-01", agent: "a", tier: 1, attested: true, action: "save" },
    { type: "violation", at: "2026-01-02", agent: "a", rule: "denied", what: "no" },
    { type: "promotion", at: "2026-01-03", agent: "a", from: 0, to: 1, by: "rule" },
    { type: "task", at: "2026-01-04", agent: "a", trail: "main", task: "1", status: "pending", subject: "s" },
  ];
  await store.commit({ ...changeOf("a"), log });
  await store.close();
  const db = new DatabaseSync(path);
  const rows = (view: string) => db.prepare(`SELECT * FROM ${view}`).all();
  expect(rows("agent_actions")).toMatchObject([{ number: 1, agent: "a", tier: 1, action: "save" }]);
  expect(rows("violations")).toMatchObject([{ number: 2, rule: "denied", what: "no" }]);
  expect(rows("promotions")).toMatchObject([{ number: 3, type: "promotion", from: 0, to: 1 }]);
  expect(rows("tasks")).toMatchObject([{ number: 4, task: "1", status: "pending" }]);
  db.close();
  const again = await openSqliteStore({ path });
  expect(await again.readLog()).toHaveLength(4);
  expect((await again.verify()).damage).toEqual([]);
  await again.close();
});
