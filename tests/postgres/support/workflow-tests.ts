import { globSync } from "node:fs";
import { basename } from "node:path";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";

import { findPostgres, startServer } from "./server.ts";

/** What cannot be run elsewhere, and why: files by their name, tests by theirs. */
export interface LocalByNature {
  readonly files: Readonly<Record<string, string>>;
  readonly tests: Readonly<Record<string, string>>;
}

/**
 * Runs the tests of workflows, as they are, on a shared store: a few of them, or all that are not local by nature when
 * CAIRN_TEST_ALL is set, as `npm run test:shared` does.
 */
export async function runWorkflowTests(few: readonly string[], local: LocalByNature): Promise<void> {
  const programs = findPostgres();
  const server = programs === undefined ? undefined : await startServer(programs);
  vi.stubEnv("CAIRN_TEST_STORE", server?.url);
  afterAll(() => server?.stop());
  const all = globSync("tests/workflow/*.test.ts").map((path) => basename(path, ".test.ts"));
  const isAll = process.env["CAIRN_TEST_ALL"] !== undefined;
  const chosen = isAll ? all.filter((name) => local.files[name] === undefined) : few;
  const seen = new Set<string>();
  beforeEach(({ task, skip }) => {
    seen.add(task.name);
    const why = local.tests[task.name];
    if (why !== undefined) skip(`local by nature: ${why}`);
  });
  describe.skipIf(server === undefined)("the tests of workflows", () => {
    it("run on a shared store", () => {
      expect(process.env["CAIRN_TEST_STORE"]).toBe(server?.url);
      expect(all).toEqual(expect.arrayContaining([...Object.keys(local.files), ...few]));
    });
  });
  for (const name of server === undefined ? [] : chosen) await import(`../../workflow/${name}.test.ts`);
  describe.runIf(isAll && server !== undefined)("what is local by nature", () => {
    it("is still there", () => {
      expect([...seen]).toEqual(expect.arrayContaining(Object.keys(local.tests)));
    });
  });
}
