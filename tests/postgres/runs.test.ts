import { afterAll, describe, expect, it, vi } from "vitest";

import { findPostgres, startServer } from "./support/server.ts";

/**
 * The tests of workflows, as they are, on a shared store. Local by nature: `keeping` damages the file of a store, `library`
 * opens one by its path, `crash` takes half a minute there (workers are killed in a campaign of their own), and the others
 * need no store.
 */
const NAMES = ["running", "approvals", "recovery"];
const programs = findPostgres();
const server = programs === undefined ? undefined : await startServer(programs);
vi.stubEnv("CAIRN_TEST_STORE", server?.url);
afterAll(() => server?.stop());

describe.skipIf(server === undefined)("the tests of workflows", () => {
  it("run on a shared store", () => {
    expect(process.env["CAIRN_TEST_STORE"]).toBe(server?.url);
  });
});
for (const name of server === undefined ? [] : NAMES) await import(`../workflow/${name}.test.ts`);
