import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Sandbox } from "../cli/support/sandbox.ts";
import { goTo, isWithoutBrowser, openPage, serve, useBrowser, type Served } from "./support/browser.ts";
import { longTrail } from "./support/long-trail.ts";

/** Many screens; the bench opens the page on 100,000. */
const CHECKPOINTS = 10_000;

describe.skipIf(isWithoutBrowser)("10,000 checkpoints in a browser", () => {
  const browser = useBrowser();
  let box: Sandbox;
  let served: Served;
  beforeAll(async () => {
    box = new Sandbox();
    await longTrail(join(box.folder, ".cairn"), CHECKPOINTS);
    served = await serve(box);
  });
  afterAll(async () => {
    await served?.kill();
    box.remove();
  });

  it("opens at the newest, and loads only what can be seen", async () => {
    const { page, complaints } = await openPage(browser(), served.url);
    await page.getByText("10,000").first().waitFor();
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/timeline")) asked.push(request.postData() ?? "");
    });
    await goTo(page, "/trail?name=main", "main");
    await page.locator(".moment", { hasText: "count: 9998 → 9999" }).waitFor();
    expect(await page.locator(".moment").count()).toBeLessThan(50);
    expect(asked.length).toBeLessThan(8);
    expect(complaints).toEqual([]);
  });

  it("reaches any place at once: by key, by slider, by scrolling, by address", async () => {
    const { page } = await openPage(browser(), served.url);
    await goTo(page, "/trail?name=main", "main");
    await page.locator(".moment").first().waitFor();
    await page.getByRole("listbox").focus();
    await page.keyboard.press("End");
    await page.locator(".moment[aria-selected=true]", { hasText: "Moment 0" }).waitFor();
    await page.getByLabel(/^Moment/).fill("5000");
    await page.locator(".moment[aria-selected=true]", { hasText: "Moment 5000" }).waitFor();
    await page.locator("tr:has(.changed)", { hasText: "Count to 5001" }).waitFor();
    // Moment 5,000 was saved so many minutes after the beginning of the year.
    await page.waitForURL(/at=ckpt-20260104-112000/);
    await page.reload();
    await page.locator(".moment[aria-selected=true]", { hasText: "Moment 5000" }).waitFor();
    await page.getByRole("listbox").evaluate((area) => {
      area.scrollTop = 52 * 7_500;
    });
    await page.locator(".moment", { hasText: "Moment 2490" }).waitFor();
    expect(await page.locator(".moment").count()).toBeLessThan(50);
  });

  it("shows home, the checkpoint, a diff, a briefing, the store and what it has none of", async () => {
    const { page, complaints } = await openPage(browser(), served.url);
    await page.getByText("Nothing: no question").waitFor();
    await page.getByRole("cell", { name: "10,000" }).waitFor();
    await goTo(page, "/diff?trail=main&from=@~5000&to=@", "What changed");
    await page.getByText("places differ").waitFor();
    await goTo(page, "/runs", "Runs");
    await page.getByText("No workflow was run here yet.").waitFor();
    await goTo(page, "/sessions", "Agent sessions");
    await page.getByText("No agent was seen here yet.").waitFor();
    await goTo(page, "/checkpoint?trail=main", "ckpt-");
    await page.getByText("Count to 10000").waitFor();
    await goTo(page, "/handoff?trail=main", "Handoff");
    await page.locator("pre", { hasText: "Count to the end" }).waitFor();
    await goTo(page, "/store", "Store");
    await page.getByText("10,000 checkpoints in 1 trail").waitFor();
    expect(complaints).toEqual([]);
  });
});
