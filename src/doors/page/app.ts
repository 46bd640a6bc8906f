import { Hono } from "hono";
import { streamSSE } from "hono/streaming";

import { CheckpointError, type ErrorCode } from "../../core/errors.ts";
import { explainError } from "../../work/project/explain-error.ts";
import { hasStore } from "../../work/project/find-project.ts";
import { isGoverned } from "../../work/project/gate.ts";
import type { Project } from "../../work/project/project.ts";
import { guarded, refusal, type Guard } from "./guard.ts";
import type { Live, News } from "./live.ts";
import { pageVerb, type PageProcesses } from "./verbs.ts";

/** A file of the page: built once, held in memory. */
export interface PageFile {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly zipped: Uint8Array<ArrayBuffer>;
  /** Changes with its bytes: a browser that has them need not get them again. */
  readonly tag: string;
}

export interface PageWorld extends Guard, PageProcesses {
  /** The project, acting as the person at the browser. */
  readonly project: Project;
  readonly live: Live;
  readonly files: ReadonlyMap<string, PageFile>;
  readonly isReadOnly: boolean;
}

/** How often the stream gives a sign of life: a connection that broke is noticed. */
const HEARTBEAT_MS = 3000;

/** Everything that the server answers. One more door: it takes a verb's input as JSON and gives back its result. */
export function pageApp(world: PageWorld): Hono {
  const app = new Hono();
  app.use(...guarded(world));
  // Notices are meant for a terminal.
  const project = { ...world.project, notices: { message: () => {}, warning: () => {} } };
  app.get("/api/about", async (context) => {
    const governed =
      hasStore(project) && (await isGoverned(project, await project.stores.open(project, "read", null)));
    return context.json({ root: project.root, isReadOnly: world.isReadOnly, isGoverned: governed });
  });
  app.post("/api/verb/:name", async (context) => {
    const verb = verbFor(context.req.param("name"), world);
    return context.json({ result: await verb.call(project, await context.req.json(), world) });
  });
  app.onError((error, context) => {
    const { code, message, hint = null, details } = explainError(asUsage(error));
    const { store = null } = details;
    return context.json({ error: { code, message, hint, store } }, HTTP_STATUS[code] ?? 500);
  });
  app.get("/api/live", (context) =>
    streamSSE(context, async (stream) => {
      const send = async (news: News) => stream.writeSSE({ data: JSON.stringify(news) });
      stream.onAbort(world.live.listen((news) => void send(news)));
      while (!stream.aborted) {
        await send({ store: world.live.state, trails: [] });
        await stream.sleep(HEARTBEAT_MS);
      }
    }),
  );
  app.get("/*", (context) => {
    const { path } = context.req;
    // Every view has an address of its own, and all of them are the same page.
    const isView = /^\/[a-z]*$/.test(path);
    const file = world.files.get(isView ? "/index.html" : path);
    if (file === undefined) return context.json(refusal("There is no such page."), 404);
    const headers = { "cache-control": "no-cache", etag: file.tag, vary: "accept-encoding" };
    if (context.req.header("if-none-match") === file.tag) return context.body(null, 304, headers);
    const isZipped = /\bgzip\b/.test(context.req.header("accept-encoding") ?? "");
    return context.body(isZipped ? file.zipped : file.bytes, 200, {
      ...headers,
      ...(isZipped && { "content-encoding": "gzip" }),
      "content-type": file.type,
    });
  });
  return app;
}

function verbFor(name: string, { isReadOnly }: PageWorld) {
  const verb = pageVerb(name);
  if (verb === undefined) throw new CheckpointError("not-found", `There is no verb "${name}".`);
  if (verb.writes && isReadOnly)
    throw new CheckpointError(
      "refused",
      "This page only shows the project: it was started with --read-only.",
    );
  return verb;
}

function asUsage(error: unknown): unknown {
  return error instanceof SyntaxError ? new CheckpointError("usage", "The request is not JSON.") : error;
}

/** What is not listed is a failure of the server. */
const HTTP_STATUS: { readonly [Code in ErrorCode]?: 400 | 403 | 404 | 409 } = {
  usage: 400,
  budget: 400,
  refused: 403,
  "not-found": 404,
  conflict: 409,
};
