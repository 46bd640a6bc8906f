// The pictures of docs/ui.md, of a small project that is made for them: node scripts/run.js scripts/page-pictures.ts, after a build.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Page } from "playwright-core";
import { demoProject } from "../tests/web/support/demo-project.ts";

const LAUNCHER = join(import.meta.dirname, "../bin/checkpoint.js");
const IMAGES = join(import.meta.dirname, "../docs/images");
const SIZE = { width: 1280, height: 800 };

const PICTURES: readonly {
  readonly name: string;
  readonly address: string;
  readonly scheme: "light" | "dark";
  readonly before?: (page: Page) => Promise<void>;
}[] = [
  { name: "ui-home", address: "/", scheme: "light" },
  { name: "ui-timeline", address: "/trail?name=main", scheme: "light" },
  { name: "ui-run", address: "/run?id=ship-1&step=build", scheme: "light" },
  { name: "ui-diff", address: "/diff?trail=main&from=@~5&to=@", scheme: "light" },
  {
    name: "ui-dark",
    address: "/",
    scheme: "dark",
    before: async (page) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox").fill("passkey");
      await page.getByRole("option", { name: "prompt" }).first().waitFor();
    },
  },
];

const home = mkdtempSync(join(tmpdir(), "cairn-pictures-"));
const folder = join(home, "login-service");
mkdirSync(folder);
const env = { HOME: home, PATH: process.env["PATH"] };
await demoProject({
  folder,
  home,
  write: (name, text) => writeFileSync(join(folder, name), text),
  run: (args, { input } = {}) =>
    spawnSync(process.execPath, [LAUNCHER, ...args], { cwd: folder, env, input, encoding: "utf8" }),
});
const server = spawn(process.execPath, [LAUNCHER, "ui", "--json"], { cwd: folder, env });
const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
try {
  const [printed] = (await server.stdout.take(1).toArray()) as Buffer[];
  const { url } = JSON.parse(String(printed)) as { url: string };
  for (const { name, address, scheme, before } of PICTURES) {
    const page = await (await browser.newContext({ viewport: SIZE, colorScheme: scheme })).newPage();
    // A folder as a reader may have one, not the temporary one of this script.
    await page.route("**/api/about", async (route) => {
      const response = await route.fetch();
      const about = (await response.json()) as object;
      await route.fulfill({ response, json: { ...about, root: "~/login-service" } });
    });
    await page.goto(url);
    await page.getByText("Waits for you").waitFor();
    await page.goto(new URL(address, url).href);
    await page.waitForLoadState("networkidle", { timeout: 2000 }).catch(() => {});
    await before?.(page);
    await page.screenshot({ path: join(IMAGES, `${name}.png`) });
    await page.context().close();
  }
} finally {
  server.kill();
  await once(server, "close");
  await browser.close();
  rmSync(home, { recursive: true, force: true });
}
