import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";

import { openCairn } from "../../../work/state/cairn.ts";
import { openSqliteStore } from "../sqlite.ts";

it("tells of what another handle of the file commits, until it is stopped", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cairn-watch-"));
  const path = join(folder, "store.sqlite");
  const [store, other] = [await openSqliteStore({ path }), await openSqliteStore({ path })];
  let hints = 0;
  const stop = store.watch?.(() => hints++);
  const cairn = await openCairn({ store: other });
  const trail = cairn.trail<{ count: number }>("main");
  await trail.commit({ count: 1 });
  await expect.poll(() => hints).toBeGreaterThan(0);
  stop?.();
  hints = 0;
  await trail.commit({ count: 2 });
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(hints).toBe(0);
  await cairn.close();
  await store.close();
  rmSync(folder, { recursive: true });
});
