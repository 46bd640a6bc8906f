import { createHash, randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { serve } from "@hono/node-server";

import { CheckpointError } from "../../core/errors.ts";
import type { Project } from "../../work/project/project.ts";
import { pageApp, type PageFile, type PageWorld } from "./app.ts";
import { Live } from "./live.ts";

export interface ServePageOptions extends Pick<PageWorld, "isReadOnly" | "resume"> {
  /** A port to use instead of any free one. */
  readonly port?: number | undefined;
  /** The folder with the built page. */
  readonly pageFolder: string;
}

export interface ServedPage {
  readonly port: number;
  /** With the key in its fragment, which no browser sends to a server. */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the page of a project on 127.0.0.1, and on no other address. */
export async function servePage(project: Project, options: ServePageOptions): Promise<ServedPage> {
  const opening = options.isReadOnly ? "read" : "write";
  const store = async () => (await project.stores.open(project, opening, null)).store;
  // New with each start: open tabs may send the last one to whatever has their port by now.
  const token = randomBytes(32).toString("base64url");
  const files = filesOf(options.pageFolder);
  const live = new Live(store);
  await live.start();
  const listening = await listen(options.port ?? 0, (port) =>
    pageApp({ ...options, project, live, files, port, token }),
  );
  return { ...listening, url: `http://127.0.0.1:${listening.port}/#key=${token}` };
}

/** On any free port, where none was asked for: what another program served on it before stays with that address. */
async function listen(
  port: number,
  appFor: (port: number) => ReturnType<typeof pageApp>,
): Promise<Pick<ServedPage, "port" | "close">> {
  const { promise, resolve, reject } = Promise.withResolvers<Pick<ServedPage, "port" | "close">>();
  let app: ReturnType<typeof pageApp> | undefined;
  const server = serve(
    { fetch: async (request) => app!.fetch(request), hostname: "127.0.0.1", port },
    (info: AddressInfo) => {
      app = appFor(info.port);
      resolve({ port: info.port, close: () => close(server) });
    },
  );
  server.once("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE") reject(error);
    else reject(portTaken(port, error));
  });
  return promise;
}

async function close(server: ReturnType<typeof serve>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  if ("closeAllConnections" in server) server.closeAllConnections();
  return promise;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
};

/** All files of the page by their address. They are few and small, and no path from a request is ever opened. */
function filesOf(folder: string): Map<string, PageFile> {
  return new Map(
    readdirSync(folder).map((name) => [
      `/${name}`,
      fileOf(TYPES[extname(name)] ?? "application/octet-stream", readFileSync(join(folder, name))),
    ]),
  );
}

const fileOf = (type: string, bytes: Uint8Array): PageFile => ({
  type,
  bytes: new Uint8Array(bytes),
  zipped: new Uint8Array(gzipSync(bytes)),
  tag: `"${createHash("sha256").update(bytes).digest("base64url")}"`,
});

function portTaken(port: number, cause: unknown): CheckpointError {
  return new CheckpointError("conflict", `Port ${port} is in use by another program.`, {
    hint: "Leave --port out, or choose another one.",
    details: { port },
    cause,
  });
}
