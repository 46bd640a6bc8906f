import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { chromium, type Page } from "playwright-core";
import { longTrail } from "../../tests/web/support/long-trail.ts";
import { atMost, type Figure, info, type Row } from "../figure.ts";
import { percentile, Samples } from "../measure.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const LAUNCHER = join(ROOT, "bin/checkpoint.js");
const CHECKPOINTS = 100_000;
const COMMITS = 40;
const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/** The page of `checkpoint ui`: how large it is, and how it behaves with a long history. */
export const web: Figure = {
  name: "web",
  title: `The page, in Chromium, on a trail of ${CHECKPOINTS.toLocaleString("en")} checkpoints`,
  measure: async ({ place, progress }) => {
    progress.step("page: building 100,000 checkpoints");
    const folder = place.newFolder();
    await longTrail(join(folder, ".cairn"), CHECKPOINTS);
    progress.step("page: in a browser");
    return [bundle(), ...(await inBrowser(folder))];
  },
};

function bundle(): Row {
  const files = ["page.js", "style.css"].map((name) => readFileSync(join(ROOT, "dist/page", name)));
  const sum = (compress: (bytes: Buffer) => Buffer) =>
    files.reduce((total, bytes) => total + compress(bytes).length, 0) / 1000;
  const whole = files.reduce((total, { length }) => total + length, 0) / 1000;
  const from = `gzip, as it is sent; ${whole.toFixed(0)} kB unpacked`;
  return atMost("script and style, on the wire", sum(gzipSync), { must: 110, unit: " kB", digits: 1 }, from);
}

async function inBrowser(folder: string): Promise<Row[]> {
  const env = { ...process.env, HOME: folder, XDG_STATE_HOME: join(folder, "state") };
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  // A browser that was just started is slow by itself.
  await (await browser.newPage()).goto("about:blank");
  const started = performance.now();
  const server = spawn(process.execPath, [LAUNCHER, "ui", "--json"], { cwd: folder, env });
  try {
    const page = await browser.newPage();
    await page.goto((JSON.parse(await firstOutput(server)) as { url: string }).url);
    await page.getByText("100,000").first().waitFor();
    const firstMs = performance.now() - started;
    const timelineMs = await openTimeline(page);
    await browse(page);
    const rssMb = rssOf(server.pid) / 1e6;
    const latency = await commitToScreen(page, folder, env);
    const idle = await idleCpu(server.pid);
    const bound = { must: 500, unit: " ms", digits: 0 };
    return [
      atMost("first view, the server's start included", firstMs / 1000, { must: 1.5, unit: " s" }, "Home"),
      info("the timeline, from Home", `${Math.round(timelineMs)} ms`, "until its newest rows are there"),
      atMost(
        "a commit elsewhere is on the screen, p95",
        percentile(latency.wall, 0.95) / 1000,
        bound,
        `p50 ${Math.round(latency.p50 / 1000)} ms, from the end of the commit`,
      ),
      atMost("CPU of an idle server with a tab", idle, { must: 3, unit: " ms/s", digits: 1 }, "over 30 s"),
      atMost(
        "resident memory of the server after browsing",
        rssMb,
        { must: 200, unit: " MB", digits: 0 },
        "40 places of the timeline",
      ),
    ];
  } finally {
    server.kill("SIGKILL");
    await browser.close();
  }
}

async function firstOutput({ stdout }: ReturnType<typeof spawn>): Promise<string> {
  let text = "";
  for await (const chunk of stdout as AsyncIterable<Buffer>) {
    text += chunk.toString("utf8");
    if (text.trimEnd().endsWith("}")) break;
  }
  return text;
}

async function openTimeline(page: Page): Promise<number> {
  const started = performance.now();
  await page.getByRole("link", { name: "main", exact: true }).first().click();
  await page.locator(".moment", { hasText: "count: 99998" }).waitFor();
  return performance.now() - started;
}

async function browse(page: Page): Promise<void> {
  const slider = page.getByLabel(/^Moment/);
  for (let place = 0; place < CHECKPOINTS; place += CHECKPOINTS / 40) {
    await slider.fill(String(place));
    await page.locator(".moment[aria-selected=true]", { hasText: `Moment ${place}` }).waitFor();
  }
  await slider.fill(String(CHECKPOINTS - 1));
}

function rssOf(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) * 1024;
}

const IDLE_S = 30;

/** Milliseconds of CPU in a second in which nothing happens. Linux counts in hundredths of a second. */
async function idleCpu(pid: number | undefined): Promise<number> {
  const used = () => {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
    return 10 * (Number(fields[11]) + Number(fields[12]));
  };
  await wait(5000);
  const before = used();
  await wait(IDLE_S * 1000);
  return (used() - before) / IDLE_S;
}

/** From when the command that saved has ended, by the clock of this process, until the row is drawn. */
async function commitToScreen(page: Page, folder: string, env: NodeJS.ProcessEnv): Promise<Samples> {
  const latency = new Samples();
  for (let commit = 0; commit < COMMITS; commit++) {
    const note = `Seen ${commit}.`;
    const seen = page.locator(".moment", { hasText: note }).waitFor();
    const saved = spawnSync(process.execPath, [LAUNCHER, "now", "--notes", note], { cwd: folder, env });
    if (saved.status !== 0) throw new Error(saved.stderr.toString("utf8"));
    await latency.time(async () => seen);
  }
  return latency;
}
