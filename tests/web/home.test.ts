import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as verbs from "../../src/doors/library/project.ts";
import { Sandbox } from "../cli/support/sandbox.ts";
import {
  isWithoutBrowser,
  openPage,
  axeProblems,
  serve,
  useBrowser,
  type Served,
} from "./support/browser.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const browser = useBrowser();

describe.skipIf(isWithoutBrowser)("Home", () => {
  let box: Sandbox;
  let served: Served;
  const start = async () => (served = await serve(box));
  const project = () => verbs.openProject({ path: box.folder, env: { HOME: box.home } });
  beforeEach(() => {
    box = new Sandbox();
  });
  afterEach(async () => {
    await served?.kill();
    box.remove();
  });

  it("says what to do before the first checkpoint, and follows it", async () => {
    await start();
    const { page, complaints } = await openPage(browser(), served.url);
    await page.locator("h1", { hasText: "Nothing was saved in this project yet" }).waitFor();
    await page.getByText("○ nothing saved yet").waitFor();
    box.run(["goal", "Ship the login page"]);
    await page.locator("h1", { hasText: "Ship the login page" }).waitFor();
    await page.getByText("● live").waitFor();
    // What there is nothing of yet is not found.
    expect(complaints.filter((each) => !each.startsWith("Failed to load resource"))).toEqual([]);
  });

  it("tells where the work stands in one look", async () => {
    const opened = project();
    await verbs.goal(opened, { goal: "Ship the login page", done_when: ["All tests pass"] });
    await verbs.constraint(opened, { text: "Never touch production" });
    await verbs.taskAdd(opened, { subject: "Write the test" });
    await verbs.taskAdd(opened, { subject: "Make it pass" });
    await verbs.taskStatus(opened, { id: "1", status: "completed" });
    await verbs.block(opened, { text: "No credentials" });
    await verbs.next(opened, { next_action: "Ask ops" });
    await opened.stores.close();
    await start();
    const { page } = await openPage(browser(), served.url);
    const said = async () => page.locator("main").innerText();
    await page.getByText("1 of 2 tasks done").waitFor();
    for (const text of ["Done when: All tests pass", "Ask ops", "Never touch production", "No credentials"])
      expect(await said()).toContain(text);
  });

  it("is broken by no long word", async () => {
    const word = "x".repeat(400);
    const opened = project();
    await verbs.goal(opened, { goal: word });
    await verbs.constraint(opened, { text: word });
    await verbs.next(opened, { next_action: word });
    await verbs.now(opened, { notes: word });
    await opened.stores.close();
    await start();
    for (const width of [1440, 390]) {
      const { page } = await openPage(browser(), served.url, { width });
      await page.locator("h1", { hasText: word }).waitFor();
      await page.getByRole("cell", { name: word }).waitFor();
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
      const table = page.locator(".scroll").last();
      expect(await table.evaluate((box) => box.scrollWidth - box.clientWidth)).toBeLessThanOrEqual(0);
      expect(await axeProblems(page)).toEqual([]);
    }
  });
});
