import { request } from "node:http";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { goal, openProject } from "../../src/doors/library/project.ts";
import { pageVerb } from "../../src/doors/page/verbs.ts";
import { TABLES } from "../../src/doors/verbs.ts";
import { verbName } from "../../src/work/verbs/spec.ts";
import { Sandbox } from "../cli/support/sandbox.ts";
import { serve, type Served } from "./support/browser.ts";

let box: Sandbox;
let served: Served;
beforeAll(async () => {
  box = new Sandbox();
  const project = openProject({ path: box.folder, env: { HOME: box.home } });
  await goal(project, { goal: "Ship it" });
  await project.stores.close();
  served = await serve(box);
});
afterAll(async () => {
  await served.stop();
  box.remove();
});

interface Asked {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly chunked?: boolean;
}

/** By hand, because a client library would correct what is wrong on purpose. */
async function ask({ path = "/api/about", method = "GET", headers = {}, body, chunked }: Asked) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number;
    text: string;
    headers: Record<string, unknown>;
  }>();
  const sent = request(
    { host: "127.0.0.1", port: served.port, path, method, headers, setHost: !("host" in headers) },
    (response) => {
      let text = "";
      response.on("data", (chunk) => (text += String(chunk)));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, text, headers: response.headers }),
      );
    },
  );
  sent.on("error", reject);
  if (chunked) sent.write(body?.slice(0, 1));
  sent.end(chunked ? body?.slice(1) : body);
  return promise;
}

const withKey = (more: Record<string, string> = {}) => ({ authorization: `Bearer ${served.key}`, ...more });
const post = (name: string, input: unknown, headers = withKey()) =>
  ask({ path: `/api/verb/${name}`, method: "POST", headers, body: JSON.stringify(input) });

describe("the server of the page", () => {
  it("answers its own page, and says where it is", async () => {
    const { status, text } = await ask({ headers: withKey() });
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ root: box.folder, isReadOnly: false });
  });

  it("prints where it is as its schema says", () => {
    const { required } = JSON.parse(
      readFileSync(join(import.meta.dirname, "../../schemas/ui.json"), "utf8"),
    ) as {
      required: string[];
    };
    expect(Object.keys(served.printed)).toEqual(expect.arrayContaining(required));
    expect(served.printed).toMatchObject({ schema: "cairn/ui@1", port: served.port, read_only: false });
  });

  it("refuses every request without its key", async () => {
    for (const path of ["/api/about", "/api/live", "/api/verb/load", "/api/verb/nothing"])
      for (const authorization of [
        "",
        "Bearer ",
        "Bearer x",
        `Bearer ${served.key}x`,
        `Bearer ${"x".repeat(served.key.length)}`,
        `Basic ${served.key}`,
      ])
        expect((await ask({ path, headers: { authorization } })).status, `${path} ${authorization}`).toBe(
          401,
        );
    expect((await ask({ path: `/api/about?key=${served.key}` })).status).toBe(401);
    expect((await ask({ headers: { cookie: `key=${served.key}` } })).status).toBe(401);
  });

  it.each([
    ["a foreign host, as after DNS rebinding", { host: "evil.example" }],
    ["a foreign host with a port", { host: "evil.example:80" }],
    ["another loopback address", { host: "127.0.0.2" }],
    ["no host", { host: "" }],
    ["a foreign origin", { origin: "https://evil.example" }],
    ["the origin of another port", { origin: "http://127.0.0.1:1" }],
    ["the origin of a file or a sandbox", { origin: "null" }],
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["another port of this machine", { "sec-fetch-site": "same-site" }],
    ["an address typed by hand", { "sec-fetch-site": "none" }],
  ])("refuses %s, with the key too", async (_what, headers) => {
    const { status, text } = await ask({ headers: withKey(headers) });
    expect(status).toBe(403);
    expect(text).not.toContain(box.folder);
  });

  it("serves no page inside a frame, nor to a request that another site makes", async () => {
    const frame = { "sec-fetch-site": "cross-site", "sec-fetch-dest": "iframe" };
    expect((await ask({ path: "/", headers: frame })).status).toBe(403);
    expect((await ask({ path: "/page.js", headers: { "sec-fetch-site": "cross-site" } })).status).toBe(403);
    const link = { "sec-fetch-site": "cross-site", "sec-fetch-dest": "document" };
    const { status, headers } = await ask({ path: "/", headers: link });
    expect(status).toBe(200);
    expect(headers["content-security-policy"]).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'; .*frame-ancestors 'none'$/,
    );
    expect(headers).not.toHaveProperty("set-cookie");
    expect(headers).not.toHaveProperty("access-control-allow-origin");
  });

  it.each([
    "/../package.json",
    "/..%2f..%2fpackage.json",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/page/../../../bin/checkpoint.js",
    "/.cairn/store.sqlite",
    "//etc/passwd.txt",
    "/index.html%00.js",
    "/C:\\windows\\win.ini",
  ])("serves no file but those of the page: %s", async (path) => {
    expect([400, 404]).toContain((await ask({ path, headers: withKey() })).status);
  });

  it("refuses a body that is too large, whether or not it says so", async () => {
    const body = JSON.stringify({ id: "x".repeat(70_000) });
    const asked = { path: "/api/verb/load", method: "POST", headers: withKey(), body };
    expect((await ask(asked)).status).toBe(413);
    expect((await ask({ ...asked, chunked: true })).status).toBe(413);
  });

  it("refuses what is no verb, no JSON, or no input of that verb, in words", async () => {
    expect((await post("constructor", {})).status).toBe(404);
    expect((await post("__proto__", {})).status).toBe(404);
    expect((await post("hook", {})).status).toBe(404);
    const path = "/api/verb/load";
    expect((await ask({ path, method: "POST", headers: withKey(), body: "{" })).text).toContain(
      "is not JSON",
    );
    const { status, text } = await post("load", { trial: "main" });
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ error: { code: "usage" } });
    expect((await ask({ path, headers: withKey() })).status).toBe(404);
  });

  it("has a new key with each start, and keeps none on disk", async () => {
    expect(existsSync(join(box.home, ".local/state/cairn/pages"))).toBe(false);
    const before = withKey();
    await served.stop();
    served = await serve(box, "--port", String(served.port));
    expect((await ask({ headers: before })).status).toBe(401);
    expect((await ask({ headers: withKey() })).status).toBe(200);
  });

  it("says so when a port that was asked for is taken", () => {
    const { status, stderr } = box.run(["ui", "--port", String(served.port)]);
    expect(status).toBe(6);
    expect(stderr).toContain(`Port ${served.port} is in use`);
  });

  it("treats a run's name as a value, never as an option", async () => {
    const { text } = await post("resume", { run: "--help" });
    expect(JSON.parse(text)).toMatchObject({ result: { message: expect.stringContaining("--help") } });
  });

  it("changes nothing with --read-only", async () => {
    const looking = await serve(box, "--read-only");
    const before = served;
    served = looking;
    try {
      const names = TABLES.flatMap(({ entries }) =>
        Object.entries(entries).map(([key, entry]) => verbName(key, entry)),
      );
      const writing = ["resume", ...names].filter((name) => pageVerb(name)?.writes);
      expect(writing.length).toBeGreaterThan(5);
      for (const name of writing)
        expect({ name, status: (await post(name, {})).status }).toEqual({ name, status: 403 });
      expect((await post("load", {})).status).toBe(200);
    } finally {
      served = before;
      expect(await looking.stop()).toBe(0);
    }
  });

  it("opens the page by a file that only this user can read, and takes it away at the end", async () => {
    const other = new Sandbox();
    try {
      const project = openProject({ path: other.folder, env: { HOME: other.home } });
      await goal(project, { goal: "Ship it" });
      await project.stores.close();
      const seen = join(other.home, "opened");
      other.write(
        "xdg-open",
        `#!/bin/sh\necho "$@" > ${seen}.part && cat "$1" >> ${seen}.part && echo >> ${seen}.part && stat -c %a "$1" >> ${seen}.part && mv ${seen}.part ${seen}\n`,
      );
      chmodSync(join(other.folder, "xdg-open"), 0o755);
      const started = other.start(["ui", "--open", "--json"], {
        env: { PATH: `${other.folder}:${process.env["PATH"]}` },
      });
      await expect.poll(() => existsSync(seen)).toBe(true);
      const [command = "", page = "", mode = ""] = readFileSync(seen, "utf8").split("\n");
      expect(command).not.toContain("key=");
      expect(page).toContain("#key=");
      expect(mode).toBe("600");
      started.child.kill("SIGINT");
      await started.ended;
      expect(existsSync(command)).toBe(false);
    } finally {
      other.remove();
    }
  });
});
