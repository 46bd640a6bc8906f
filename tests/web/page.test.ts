import { once } from "node:events";
import { renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { goal, governanceReport, now, openProject } from "../../src/doors/library/project.ts";
import { Sandbox } from "../cli/support/sandbox.ts";
import {
  follow,
  goTo,
  isWithoutBrowser,
  openPage,
  axeProblems,
  serve,
  serveAs,
  useBrowser,
  type Served,
} from "./support/browser.ts";
import { demoProject } from "./support/demo-project.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

/** Every view: its address, and a heading that says that it is there. */
const VIEWS: readonly (readonly [address: string, heading: string, content: string])[] = [
  ["/", "Let people sign in with a passkey", "Ship this plan to production?"],
  ["/trail?name=main", "main", "rule: Never touch the production database"],
  ["/checkpoint?id=before-refactor&trail=main", "ckpt-", "Let people sign in with a passkey"],
  ["/diff?trail=main&from=before-refactor&to=@", "What changed", "places differ"],
  ["/runs", "Runs", "nightly-1"],
  ["/run?id=ship-1", "ship", "Ship on Friday."],
  ["/run?id=nightly-1", "nightly", "connection refused"],
  ["/sessions", "Agent sessions", "Add a passkey button to the login page"],
  ["/handoff", "Handoff", "tokens"],
  ["/store", "Store", "agent sessions"],
];

const browser = useBrowser();

describe.skipIf(isWithoutBrowser)("the page in a browser", () => {
  // One project for all: each test leaves the others what they look at.
  let box: Sandbox;
  let served: Served;
  beforeAll(async () => {
    box = new Sandbox();
    await demoProject(box);
    served = await serve(box);
  });
  afterAll(async () => {
    await served?.kill();
    box.remove();
  });

  it("shows every view, light and dark, wide and narrow, and axe finds nothing", async () => {
    for (const [width, colorScheme] of [
      [1280, "light"],
      [375, "dark"],
    ] as const) {
      const { page, complaints } = await openPage(browser(), served.url, { width, colorScheme });
      for (const [address, heading, content] of VIEWS) {
        await goTo(page, address, heading);
        await page.getByText(content).first().waitFor();
        expect(await axeProblems(page), `${address} ${width}`).toEqual([]);
        const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
        expect(overflow, `${address} is wider than ${width} px`).toBeLessThanOrEqual(0);
      }
      expect(complaints).toEqual([]);
    }
  });

  it("takes the key out of the address, and gives it to other tabs only", async () => {
    const { page } = await openPage(browser(), served.url);
    expect(page.url()).toBe(`http://127.0.0.1:${served.port}/`);
    expect(await page.evaluate("[sessionStorage.length, localStorage.length, document.cookie]")).toEqual([
      1,
      0,
      "",
    ]);
    const second = await page.context().newPage();
    await second.goto(`http://127.0.0.1:${served.port}/trail?name=try-argon2`);
    await second.getByText("decision: Hash with argon2").first().waitFor();
    const { page: stranger } = await openPage(browser(), `http://127.0.0.1:${served.port}/`);
    await stranger.getByText("key is missing").first().waitFor();
  });

  it("shows what another process commits, in every tab, by one stream", async () => {
    const { page } = await openPage(browser(), served.url);
    await goTo(page, "/trail?name=try-argon2", "try-argon2");
    const second = await page.context().newPage();
    const streams: string[] = [];
    second.on("request", (request) => {
      if (request.url().endsWith("/api/live")) streams.push(request.url());
    });
    await second.goto(`http://127.0.0.1:${served.port}/trail?name=try-argon2`);
    await second.locator(".moment").first().waitFor();
    box.run(["decide", "Ship on Friday", "--why", "The team is there", "--trail", "try-argon2"]);
    for (const tab of [page, second])
      await tab.locator(".moment[aria-selected=true]", { hasText: "decision: Ship on Friday" }).waitFor();
    expect(streams).toEqual([]);
  });

  it("never brings back whoever leaves a trail that has just opened", async () => {
    const { page } = await openPage(browser(), served.url);
    await page.clock.install();
    await goTo(page, "/trail?name=main", "main");
    await page.locator(".moment[aria-selected=true]").waitFor();
    // The address changes first, what is drawn only later: on a slow machine, seconds later.
    await page.evaluate("history.pushState(null, '', '/runs')");
    await page.clock.runFor(5000);
    expect(new URL(page.url()).pathname).toBe("/runs");
  });

  it("goes through time by slider and keys, marks what just changed, and names the moment in the address", async () => {
    const { page } = await openPage(browser(), served.url);
    await goTo(page, "/trail?name=main", "main");
    await page.locator(".moment").first().waitFor();
    await page.getByRole("listbox").focus();
    await page.keyboard.press("ArrowDown");
    await page.locator("tr:has(.changed)", { hasText: "Ask ops for the staging credentials" }).waitFor();
    await page.keyboard.press("End");
    await page.locator(".moment[aria-selected=true]", { hasText: "the first of its trail" }).waitFor();
    await page.waitForURL(/at=ckpt-/);
    await page.reload();
    await page.locator(".moment[aria-selected=true]", { hasText: "the first of its trail" }).waitFor();
    await page.getByLabel(/^Moment/).focus();
    await page.keyboard.press("ArrowRight");
    await page.locator("tr:has(.changed)", { hasText: "Never touch the production database" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("r");
    await page.locator("h1", { hasText: "Runs" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/runs");
    expect(await page.evaluate("document.activeElement.id")).toBe("view");
    await goTo(page, "/trail?name=main&at=ckpt-20200101-000000-00000000", "main");
    await page.getByText("There is no checkpoint ckpt-20200101-000000-00000000 in this trail.").waitFor();
    await page.locator(".skip").focus();
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.id")).toBe("view");
  });

  it("gives its key to no program that takes the port of a server that was killed", async () => {
    const { page } = await openPage(browser(), served.url);
    const second = await page.context().newPage();
    await second.goto(`http://127.0.0.1:${served.port}/runs`);
    await second.getByText("● live").waitFor();
    await served.kill();
    const sent: string[] = [];
    const thief = createServer((request, response) => {
      sent.push(request.headers.authorization ?? "");
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
    thief.listen(served.port, "127.0.0.1");
    await once(thief, "listening");
    for (const tab of [page, second]) {
      await tab.getByText("○ the server has stopped").waitFor();
      expect(await tab.evaluate("sessionStorage.length")).toBe(0);
    }
    await follow(page, "/store");
    await page.getByText("open the address that it prints").first().waitFor();
    const { key } = served;
    served = await serve(box);
    expect(served.key).not.toBe(key);
    expect(sent.filter((header) => header !== "" && header !== `Bearer ${key}`)).toEqual([]);
    thief.close();
    thief.closeAllConnections();
    const { page: again } = await openPage(browser(), served.url);
    await again.getByText("● live").waitFor();
    await again.reload();
    await again.getByText("● live").waitFor();
  });

  it("tells a store that was moved away from one that is empty, and finds it again", async () => {
    const { page } = await openPage(browser(), served.url);
    await page.getByText("● live").waitFor();
    const [store, away] = [join(box.folder, ".cairn"), join(box.folder, ".cairn-away")];
    renameSync(store, away);
    await page.getByText("○ the store is gone").waitFor();
    await page.getByText(`The store that was in "${store}" is gone.`).first().waitFor();
    expect(await page.getByText("checkpoint now").count()).toBe(0);
    renameSync(away, store);
    await page.getByText("● live").waitFor();
    await page.getByText("Waits for you").waitFor();
    await expect.poll(async () => page.getByText("is gone").count()).toBe(0);
  });

  it("shows no button that changes anything with --read-only", async () => {
    const looking = await serve(box, "--read-only");
    const { page } = await openPage(browser(), looking.url);
    await goTo(page, "/run?id=ship-1", "ship");
    await page.getByText("checkpoint approve ship-1 release").waitFor();
    expect(await page.getByRole("button", { name: /Approve|Resume|Cancel/ }).count()).toBe(0);
    await goTo(page, "/checkpoint?trail=main", "ckpt-");
    expect(await page.getByRole("button", { name: /Restore|Fork|Tag/ }).count()).toBe(0);
    await looking.kill();
  });

  it("offers no answer that would be refused: an agent started the page", async () => {
    const agents = await serveAs({ CHECKPOINT_AGENT: "bot" }, box);
    const { page } = await openPage(browser(), agents.url);
    await goTo(page, "/run?id=ship-1", "ship");
    await page.getByText("Ship on Friday.").waitFor();
    await page.getByRole("button", { name: "Cancel …" }).waitFor();
    expect(await page.getByRole("button", { name: /Approve|Reject/ }).count()).toBe(0);
    await page.getByText("This page cannot answer it: a person answers it.").waitFor();
    await agents.kill();
  });

  it("approves on Home in one step, with a reason, and the run moves to its end", async () => {
    const { page, complaints } = await openPage(browser(), served.url);
    const question = page.getByRole("region", { name: "Question of step release" });
    await question.getByText("Ship on Friday.").waitFor();
    await question.getByText("out/steps.txt").click();
    await question.getByText("Only its beginning is shown.").waitFor();
    await question.getByLabel("Reason").fill("Read it twice");
    await question.getByRole("button", { name: "Approve and continue" }).click();
    await page.getByText("Your yes to “Ship this plan to production?” is recorded.").waitFor();
    await goTo(page, "/run?id=ship-1", "ship");
    await page.locator("h1 + .badge, .row .badge", { hasText: "completed" }).first().waitFor();
    const { steps } = box.json("runs", "show", "ship-1") as { steps: { id: string; decision?: object }[] };
    expect(steps.find(({ id }) => id === "release")?.decision).toMatchObject({
      approved: true,
      reason: "Read it twice",
    });
    expect(complaints).toEqual([]);
  });

  it("follows a run of another process: its graph, its bars, what it prints, and its end", async () => {
    const gate = join(box.folder, "go");
    const wait = `echo first; while [ ! -e '${gate}' ]; do sleep 0.05; done; echo second`;
    box.write("slow.yaml", JSON.stringify({ name: "slow", steps: [{ id: "wait", run: wait }] }));
    const { ended } = box.start(["run", "slow.yaml", "--run-id", "slow-1"]);
    const { page, complaints } = await openPage(browser(), served.url);
    await page.getByRole("link", { name: "run/slow-1" }).waitFor();
    await goTo(page, "/run?id=slow-1", "slow");
    await page.locator(".graph g.live").waitFor();
    await page.locator(".gantt .bar .live").waitFor();
    await page.locator("pre.log", { hasText: "first" }).waitFor();
    writeFileSync(gate, "");
    await page.locator("pre.log", { hasText: "second" }).waitFor();
    await page.locator(".graph g.good").waitFor();
    await page.locator(".badge", { hasText: "completed" }).first().waitFor();
    expect((await ended).status).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("shows what a smaller budget leaves out of the briefing, and why", async () => {
    const { page } = await openPage(browser(), served.url);
    await goTo(page, "/handoff", "Handoff");
    await page.getByText("everything fits").waitFor();
    await page.getByLabel("Budget").fill("300");
    await page
      .getByText(/needs \d+ tokens, \d+ are left|its section has no room left/)
      .first()
      .waitFor();
    await page.waitForURL(/budget=300/);
    await page.reload();
    await page.getByText(/at most \d+ of 300/).waitFor();
    expect(await page.getByText("everything fits").count()).toBe(0);
  });

  it("restores, forks and tags, says how to undo it, and cancels a run", async () => {
    const { page } = await openPage(browser(), served.url);
    await goTo(page, "/checkpoint?id=before-refactor&trail=main", "ckpt-");
    await page.getByRole("button", { name: "Fork …" }).click();
    await page.getByLabel("Name of the new trail").fill("by-hand");
    await page.getByRole("button", { name: "Fork", exact: true }).click();
    await page.getByText("checkpoint trails delete by-hand --yes").first().waitFor();
    await page.getByRole("button", { name: "Restore …" }).click();
    await page.getByText("Everything saved since stays").waitFor();
    await page.getByRole("button", { name: "Restore", exact: true }).click();
    await page.getByText("Restored.").waitFor();
    expect(box.json("load")["blockers"] ?? []).toEqual([]);
    expect(box.run(["undo", "--trail", "main"]).status).toBe(0);
    expect(box.run(["trails", "delete", "by-hand", "--yes"]).status).toBe(0);
    await goTo(page, "/run?id=nightly-1", "nightly");
    await page.getByRole("button", { name: "Cancel …" }).click();
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await page.locator(".badge", { hasText: "cancelled" }).first().waitFor();
  });

  it("previews a prune and verifies the store, and changes nothing", async () => {
    const { page } = await openPage(browser(), served.url);
    const before = box.json("trails");
    await goTo(page, "/store", "Store");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByText("Nothing was changed.").waitFor();
    await page.getByRole("button", { name: "Verify" }).click();
    await page.getByText("match their hashes").waitFor();
    expect(box.json("trails")).toEqual(before);
  });
});

describe.skipIf(isWithoutBrowser)("the page of a governed project", () => {
  it("shows agents, violations and the result of verify as governance reports them", async () => {
    const box = new Sandbox();
    box.write("cairn.yaml", "governance: on\n");
    const env = { HOME: box.home, PATH: process.env["PATH"] };
    const project = openProject({ path: box.folder, env, agent: "builder" });
    await now(project, { notes: "before" });
    await goal(project, { goal: "Ship it" }).catch(() => undefined);
    const report = await governanceReport(project, { verify: true });
    await project.stores.close();
    const served = await serve(box);
    try {
      const { page } = await openPage(browser(), served.url);
      await page.getByRole("link", { name: "Agents" }).click();
      await page.getByText("The ledger is intact").waitFor();
      await page.getByRole("rowheader", { name: "builder" }).first().waitFor();
      for (const { what } of report.violations) await page.getByText(what).first().waitFor();
      expect(await axeProblems(page)).toEqual([]);
    } finally {
      await served.kill();
      box.remove();
    }
  });
});
