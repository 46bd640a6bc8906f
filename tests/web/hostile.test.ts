import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import * as verbs from "../../src/doors/library/project.ts";
import { oneLine } from "../../src/core/text/visible.ts";
import { Sandbox } from "../cli/support/sandbox.ts";
import {
  follow,
  goTo,
  isWithoutBrowser,
  openPage,
  serve,
  useBrowser,
  type Served,
} from "./support/browser.ts";
import { HOSTILE } from "./support/hostile.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

let box: Sandbox;
let served: Served;
beforeAll(async () => {
  box = new Sandbox();
  const project = verbs.openProject({ path: box.folder, env: { HOME: box.home } });
  await verbs.goal(project, { goal: HOSTILE[0]!, done_when: [...HOSTILE] });
  for (const text of HOSTILE.slice(0, 10))
    await verbs.now(project, { notes: text, variables: { [text]: text } });
  await verbs.taskAdd(project, { subject: HOSTILE[3]!, owner: HOSTILE[4]! });
  await verbs.decide(project, { what: HOSTILE[5]!, why: HOSTILE[6]! });
  await verbs.outputAdd(project, { type: "evidence", id: HOSTILE[7]!, action: HOSTILE[8]! });
  await project.stores.close();
  const step = `printf '%s\\n' '${HOSTILE[3]!}'; exit 1`;
  box.write(
    "flow.yaml",
    JSON.stringify({ name: "flow", steps: [{ id: "print", about: HOSTILE[9], run: step }] }),
  );
  box.run(["run", "flow.yaml", "--run-id", "r1"]);
  served = await serve(box);
});
afterAll(async () => {
  await served.stop();
  box.remove();
});

describe.skipIf(isWithoutBrowser)("hostile text in a browser", () => {
  const browser = useBrowser();

  it(`shows ${HOSTILE.length} payloads as text, and runs none`, async () => {
    expect(HOSTILE.length).toBeGreaterThanOrEqual(50);
    const { page, complaints } = await openPage(browser(), served.url);
    await goTo(page, "/checkpoint?trail=main", "ckpt-");
    await page.getByText("As JSON").click();
    await page.locator("pre").first().waitFor();
    const shown = await page.locator("main").innerText();
    for (const text of HOSTILE) expect(shown).toContain(oneLine(text));
    await goTo(page, "/trail?name=main", "main");
    await page.locator(".moment", { hasText: "<svg onload=alert(1)>" }).first().waitFor();
    await goTo(page, "/handoff?trail=main", "Handoff");
    await page.locator("pre", { hasText: "alert(1)" }).waitFor();
    await goTo(page, "/run?id=r1", "flow");
    await page.locator("pre.log", { hasText: "<img src=x onerror=alert(1)>" }).waitFor();
    await goTo(page, "/sessions", "Agent sessions");
    await goTo(page, "/", HOSTILE[0]!);
    await page.getByText("run r1").waitFor();
    const strange = page
      .locator("main")
      .locator("script, iframe, img, object, embed, base, meta, link, style");
    expect(await strange.count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("takes names from the address as text, too", async () => {
    const { page, complaints } = await openPage(browser(), served.url);
    for (const text of HOSTILE.slice(0, 20)) {
      const name = encodeURIComponent(text);
      await follow(page, `/checkpoint?id=${name}&trail=${name}`);
      await page.locator("[role=alert]").first().waitFor();
    }
    expect(await page.locator("main script, main img, main iframe").count()).toBe(0);
    expect(complaints.filter((each) => !each.startsWith("Failed to load resource"))).toEqual([]);
  });
});
