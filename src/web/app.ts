import { Hono } from "hono";
import { streamSSE } from "hono/streaming";

import { CheckpointError, type ErrorCode } from "../errors.ts";
import { explainError } from "../project/explain-error.ts";
import { isGoverned } from "../project/gate/governed-cairn.ts";
import type { Project } from "../project/project.ts";
import { guarded, refusal, type Guard } from "./guard.ts";
import type { Live } from "./live.ts";
import type { Beyond, PageVerb } from "./verbs.ts";

/** A file of the page: built once, held in memory. */
export interface PageFile {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface PageWorld extends Guard, Beyond {
  /** The project, with the person as who acts. */
  readonly project: Project;
  readonly live: Live;
  readonly files: ReadonlyMap<string, PageFile>;
  readonly isReadOnly: boolean;
  readonly version: string;
}

/** How often the stream gives a sign of life, an empty list: a connection that broke is noticed. */
const HEARTBEAT_MS = 15_000;

/** Everything that the server answers. One more door: it takes a verb's input as JSON and gives back its result. */
export function pageApp(world: PageWorld): Hono {
  const app = new Hono();
  app.use(...guarded(world));
  app.get("/api/about", async (context) => {
    const { project, isReadOnly, version } = world;
    const governed = await isGoverned(project, await project.stores.open(project, "read", null));
    return context.json({ root: project.root, isReadOnly, version, isGoverned: governed });
  });
  app.post("/api/verb/:name", async (context) => {
    const { status, answer } = await callVerb(world, context.req.param("name"), () => context.req.json());
    return context.json(answer, status);
  });
  app.get("/api/live", (context) =>
    streamSSE(context, async (stream) => {
      const send = async (trails: readonly string[]) => stream.writeSSE({ data: JSON.stringify(trails) });
      stream.onAbort(world.live.listen((trails) => void send(trails)));
      while (!stream.aborted) {
        await send([]);
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
    return context.body(file.bytes, 200, { "content-type": file.type });
  });
  return app;
}

/** Verbs with their schemas take 100 ms to load. A browser takes as long to ask for the first one. */
export const pageVerbs = () => import("./verbs.ts");

type Status = 200 | 400 | 403 | 404 | 409 | 500;

async function callVerb(
  world: PageWorld,
  name: string,
  body: () => Promise<unknown>,
): Promise<{ status: Status; answer: object }> {
  const known: Readonly<Record<string, PageVerb>> = (await pageVerbs()).PAGE_VERBS;
  const verb = Object.hasOwn(known, name) ? known[name] : undefined;
  if (verb === undefined) return { status: 404, answer: refusal(`There is no verb "${name}".`) };
  if (verb.writes && world.isReadOnly)
    return {
      status: 403,
      answer: refusal("This page only shows the project: it was started with --read-only."),
    };
  const notices: string[] = [];
  const note = (text: string) => void notices.push(text);
  try {
    const project = { ...world.project, notices: { message: note, warning: note } };
    const result = await verb.call(project, await body(), world);
    return { status: 200, answer: { result, notices } };
  } catch (error) {
    const { code, message, hint } = explainError(asUsage(error));
    return { status: HTTP_STATUS[code] ?? 500, answer: { error: { code, message, hint: hint ?? null } } };
  }
}

/** What a schema refuses is wrong input. */
function asUsage(error: unknown): unknown {
  const issues = (error as { issues?: { path: PropertyKey[]; message: string }[] }).issues;
  if (issues === undefined) return error instanceof SyntaxError ? invalid("The request is not JSON.") : error;
  const [first] = issues;
  return invalid(`${first?.path.join(".") || "The input"}: ${first?.message ?? "invalid"}`);
}

const invalid = (message: string) => new CheckpointError("usage", message);

/** What is not listed is a failure of the server. */
const HTTP_STATUS: Readonly<Partial<Record<ErrorCode, Status>>> = {
  usage: 400,
  budget: 400,
  refused: 403,
  "not-found": 404,
  conflict: 409,
};
