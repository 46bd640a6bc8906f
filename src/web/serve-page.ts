import type { AddressInfo } from "node:net";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { serve } from "@hono/node-server";

import { CheckpointError } from "../errors.ts";
import type { Project } from "../project/project.ts";
import { addressOf, keepAddress, newToken } from "./address.ts";
import { pageApp, type PageFile, type PageWorld } from "./app.ts";
import { Live } from "./live.ts";

export interface ServePageOptions extends Pick<PageWorld, "isReadOnly" | "resume"> {
  /** Another port than the one that was kept for this store. */
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
  const { id } = await (await store()).identity();
  const kept = addressOf(project.env, id);
  const wanted = options.port ?? kept.port;
  let { token } = kept;
  const files = filesOf(options.pageFolder);
  const live = new Live(store);
  await live.start();
  const listening = await listen(wanted, options.port === undefined, (port) => {
    // Open tabs send the key to whatever has the kept port now, possibly another user's program.
    if (port !== wanted) token = newToken();
    return pageApp({ ...options, project, live, files, port, token });
  });
  keepAddress(project.env, id, { token, port: options.port === undefined ? listening.port : kept.port });
  return { ...listening, url: `http://127.0.0.1:${listening.port}/#key=${token}` };
}

/** A port that is taken by another program is given up for a free one, unless it was asked for. */
async function listen(
  port: number,
  mayChange: boolean,
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
    else if (mayChange) resolve(listen(0, false, appFor));
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
      {
        type: TYPES[extname(name)] ?? "application/octet-stream",
        bytes: new Uint8Array(readFileSync(join(folder, name))),
      },
    ]),
  );
}

function portTaken(port: number, cause: unknown): CheckpointError {
  return new CheckpointError("conflict", `Port ${port} is in use by another program.`, {
    hint: "Leave --port out, or choose another one.",
    details: { port },
    cause,
  });
}
