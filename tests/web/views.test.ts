import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import * as verbs from "../../src/doors/library/project.ts";
import { Sandbox } from "../cli/support/sandbox.ts";
import { goTo, isWithoutBrowser, openPage, serve, useBrowser, type Served } from "./support/browser.ts";
import { demoProject } from "./support/demo-project.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const browser = useBrowser();
const FLAKY = `name: flaky
steps:
  - id: fetch
    run: test -e ready || { touch ready; echo refused; exit 1; }
    retry: { max: 1, backoff: 0s }
  - id: pack
    run: echo packed
`;

describe.skipIf(isWithoutBrowser)("the views of the page", () => {
  let box: Sandbox;
  let served: Served;
  const open = async () => {
    const opened = await openPage(browser(), served.url);
    await opened.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    return opened;
  };
  beforeAll(async () => {
    box = new Sandbox();
    await demoProject(box);
    box.write("flaky.yaml", FLAKY);
    box.run(["run", "flaky.yaml", "--run-id", "flaky-1"]);
    served = await serve(box);
  });
  afterAll(async () => {
    await served?.kill();
    box.remove();
  });

  it("finds trails, runs, commands and saved words by one search, with keys alone", async () => {
    const { page, complaints } = await open();
    await page.keyboard.press("Control+k");
    const search = page.getByRole("combobox", { name: "Search everything" });
    await search.fill("nightly");
    await page.getByRole("option", { name: "nightly-1" }).first().waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/run\?id=nightly-1/);
    await page.keyboard.press("Control+k");
    await search.fill("webauthn level");
    await page.getByRole("option", { name: "decision" }).first().waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/checkpoint|session/);
    await page.keyboard.press("Control+k");
    await search.fill("checkpoint restore");
    await page.getByRole("option", { name: "checkpoint restore" }).click();
    await page.getByText("Copied: checkpoint restore").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe("checkpoint restore");
    await page.keyboard.press("Escape");
    await search.waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
  });

  it("narrows a list by what stands in the address", async () => {
    const { page } = await open();
    await goTo(page, "/runs?q=failed", "Runs");
    await page.getByRole("link", { name: "nightly-1" }).waitFor();
    expect(await page.getByRole("link", { name: "ship-1" }).count()).toBe(0);
    await page.getByLabel("Filter").fill("");
    await page.getByRole("link", { name: "ship-1" }).waitFor();
    await page.waitForURL(/\/runs$/);
  });

  it("compares two moments side by side, folds what is equal, and copies it as a patch", async () => {
    const { page } = await open();
    await goTo(page, "/diff?trail=main&from=before-refactor&to=@", "What changed");
    await page.locator(".value.good", { hasText: "No staging credentials yet" }).waitFor();
    await page.getByText("Parts that did not change").click();
    await page.locator("details").getByText("Never touch the production database").waitFor();
    await page.getByRole("button", { name: "Copy as patch" }).click();
    await page.getByText("copied").waitFor();
    const patch = (await page.evaluate("navigator.clipboard.readText()")) as string;
    expect(patch).toMatch(/^--- ckpt-.*\n\+\+\+ ckpt-/);
    expect(patch).toContain("\n+No staging credentials yet\n");
    await page.getByRole("button", { name: "Swap" }).click();
    await page.locator(".value.bad", { hasText: "No staging credentials yet" }).waitFor();
  });

  it("tells a session as a story", async () => {
    const { page, complaints } = await open();
    await goTo(page, "/sessions", "Agent sessions");
    await page.getByRole("link", { name: "Add a passkey button" }).click();
    await page.locator(".line.prompt", { hasText: "Add a passkey button to the login page" }).waitFor();
    await page.getByText("claude --resume").first().waitFor();
    expect(complaints).toEqual([]);
  });

  it("shows each attempt of a step, what it was given, and runs it again in a new run", async () => {
    const { page } = await open();
    await goTo(page, "/run?id=flaky-1&step=fetch", "flaky");
    await page.getByRole("img", { name: /attempt 1: .*; .*attempt 2: completed/ }).waitFor();
    await page.getByRole("link", { name: "pack: completed" }).focus();
    await page.keyboard.press("Enter");
    await page.locator("h2", { hasText: "Step pack" }).waitFor();
    await page.locator("pre.log", { hasText: "packed" }).waitFor();
    await page.getByRole("button", { name: "Run again from here …" }).click();
    await page.getByRole("button", { name: "Run again from here", exact: true }).click();
    await page.getByText(/new run repeat/).waitFor();
    await expect.poll(() => (box.json("runs")["runs"] as unknown[]).length).toBe(4);
  });

  it("tells who answered a question, and why", async () => {
    box.run(["reject", "ship-1", "--reason", "Not on a Friday"]);
    const { page } = await open();
    await goTo(page, "/run?id=ship-1&step=release", "ship");
    await page.getByText("because Not on a Friday").waitFor();
    expect(await page.getByText("rejected", { exact: true }).count()).toBe(1);
  });

  it("copies the briefing, and stops the slider where more changes nothing", async () => {
    const { page } = await open();
    await goTo(page, "/handoff?trail=main&budget=90000", "Handoff");
    await page.getByText("everything fits").waitFor();
    const slider = page.getByLabel("Budget");
    expect(Number(await slider.getAttribute("max"))).toBeLessThan(1500);
    expect(Number(await slider.getAttribute("min"))).toBeGreaterThan(50);
    await page.getByRole("button", { name: "Copy the text" }).click();
    await page.getByText("copied").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toContain(
      "Let people sign in with a passkey",
    );
  });

  it("draws forks beside the rows, with tags", async () => {
    const { page } = await open();
    await goTo(page, "/trail?name=main", "main");
    const fork = page.locator(".moment", { hasText: "try-argon2" });
    await fork.locator(".lane path").waitFor();
    await fork.getByText("before-refactor").waitFor();
    await goTo(page, "/trail?name=try-argon2", "try-argon2");
    await page.getByText("Forked from main at").waitFor();
    expect(await page.locator(".lane").count()).toBe(0);
  });

  it("shows damage as damage, in the list and in the view", async () => {
    const project = verbs.openProject({ path: box.folder, env: { HOME: box.home } });
    await verbs.fork(project, { as: "broken" });
    await verbs.decide(project, { what: "Break it", why: "To see it", trail: "broken" });
    await project.stores.close();
    const { DatabaseSync } = await import("node:sqlite");
    const db = new DatabaseSync(join(box.folder, ".cairn/store.sqlite"));
    const newest = "SELECT object FROM checkpoints ORDER BY sequence DESC LIMIT 1";
    db.exec(`UPDATE objects SET data = zeroblob(length(data)) WHERE id = (${newest})`);
    db.close();
    const { page } = await open();
    await page.locator(".card.edge.damaged", { hasText: "broken" }).waitFor();
    await goTo(page, "/trail?name=broken", "broken");
    await page.locator(".moment .node.damaged").waitFor();
    await page.locator("[role=alert]", { hasText: "◆ Damaged" }).first().waitFor();
    expect(await page.getByText("◌ Nothing is saved yet").count()).toBe(0);
  });
});
