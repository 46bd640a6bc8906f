import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { clientsPage } from "../../scripts/clients-page.ts";

const page = join(import.meta.dirname, "../../docs/reference/clients.md");

// After a change: npx vitest run tests/sessions/clients-page.test.ts -u
it("the tables of docs/reference/clients.md say what the descriptions of the clients say", async () => {
  await expect(clientsPage(readFileSync(page, "utf8"))).toMatchFileSnapshot(page);
});

it("a page without a mark is refused", () => {
  const text = readFileSync(page, "utf8").replace("<!-- table seen:", "<!-- seen:");
  expect(() => clientsPage(text)).toThrow('the marks of the table "seen"');
});
