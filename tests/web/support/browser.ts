import { existsSync } from "node:fs";
import axe from "axe-core";
import { chromium, type Browser, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { Sandbox } from "../../cli/support/sandbox.ts";

const PATHS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const path = process.env["CHROMIUM"] ?? PATHS.find((each) => existsSync(each));

/** Without a browser these tests say so, and are skipped. */
export const isWithoutBrowser: boolean = path === undefined;
if (isWithoutBrowser)
  console.warn("SKIPPED: tests of the page need Chromium (apt-get install chromium, or $CHROMIUM).");

/** One browser for all tests of a file. What a test opened is closed after it: a page goes on following the store. */
export function useBrowser(): () => Browser {
  let browser: Browser;
  beforeAll(async () => {
    if (path !== undefined)
      browser = await chromium.launch({ executablePath: path, args: ["--no-sandbox", "--disable-gpu"] });
  });
  afterEach(async () => {
    for (const context of browser?.contexts() ?? []) await context.close();
  });
  afterAll(async () => browser?.close());
  return () => browser;
}

export interface OpenedPage {
  readonly page: Page;
  /** What the browser complained about: errors, and what the page was not allowed to do. */
  readonly complaints: string[];
}

export interface OpenOptions {
  readonly width?: number;
  readonly colorScheme?: "light" | "dark";
}

/** Opens an address in a profile of its own. */
export async function openPage(
  browser: Browser,
  url: string,
  { width = 1280, colorScheme = "light" }: OpenOptions = {},
): Promise<OpenedPage> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(`${message.text()} ${message.location().url}`);
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(url);
  await page.waitForSelector("h1");
  return { page, complaints };
}

/** Changes the address as a link of the page does. */
export async function follow(page: Page, address: string): Promise<void> {
  await page.evaluate(
    `history.pushState(null, "", ${JSON.stringify(address)}); dispatchEvent(new Event("route"))`,
  );
}

/** Goes to a view, until its heading is there. If it never comes, tells what is there instead. */
export async function goTo(page: Page, address: string, heading: string): Promise<void> {
  await follow(page, address);
  try {
    await page.locator("h1", { hasText: heading }).waitFor();
  } catch (error) {
    const text = await page.locator("body").innerText();
    throw new Error(`${page.url()} shows no heading ${heading}, but:\n${text}`, { cause: error });
  }
}

/** What axe finds wrong, targets smaller than 24 pixels included. */
export async function axeProblems(page: Page): Promise<string[]> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { axe: checker } = globalThis as unknown as { axe: typeof axe };
    const rules = { "target-size": { enabled: true } };
    return (await checker.run({ resultTypes: ["violations"], rules })).violations;
  });
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
}

/** The server of the page, as the command starts it. */
export interface Served {
  readonly url: string;
  readonly port: number;
  /** What --json printed. */
  readonly printed: object;
  readonly key: string;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
  /** Ends it as Ctrl-C does. */
  stop(): Promise<number | null>;
}

export async function serve(box: Sandbox, ...args: readonly string[]): Promise<Served> {
  return serveAs({}, box, ...args);
}

/** The same where the environment says who starts it. */
export async function serveAs(
  env: Readonly<Record<string, string>>,
  box: Sandbox,
  ...args: readonly string[]
): Promise<Served> {
  const { child, ended, output, messages } = box.start(["ui", "--json", ...args], { env });
  const deadline = AbortSignal.timeout(60_000);
  while (!output().includes("\n}") && !output().trimEnd().endsWith("}")) {
    if (child.exitCode !== null || deadline.aborted)
      throw new Error(`The page was not served: ${messages()}`);
    await new Promise((resolve) => child.stdout.once("data", resolve).once("close", resolve));
  }
  const printed = JSON.parse(output()) as { url: string; port: number };
  const { url, port } = printed;
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#key=[\w-]{43}$/);
  const end = async (signal: "SIGKILL" | "SIGINT") => {
    child.kill(signal);
    return (await ended).status;
  };
  return {
    url,
    port,
    printed,
    key: url.slice(url.indexOf("=") + 1),
    kill: async () => void (await end("SIGKILL")),
    stop: () => end("SIGINT"),
  };
}
