import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { statePath } from "../capture/files/folders.ts";
import { readBounded } from "../capture/files/read-bounded.ts";
import type { Environment } from "../capture/environment.ts";
import { isRecord, parseJson } from "../text/untrusted.ts";

/** Where the page of a store is, and its key. Kept, so that tabs live on when the server is started again. */
export interface PageAddress {
  readonly port: number;
  readonly token: string;
}

const PORTS = { first: 41_000, count: 8_000 };

/** The address that was kept for this store, or a new one. */
export function addressOf(env: Environment, storeId: string): PageAddress {
  const file = fileOf(env, storeId);
  const kept = file && parseJson(readBounded(file, 1000).bytes?.toString() ?? "");
  const { port, token } = isRecord(kept) ? kept : {};
  if (typeof port === "number" && port < 65_536 && typeof token === "string" && /^[\w-]{43}$/.test(token))
    return { port, token };
  return { port: PORTS.first + (randomBytes(2).readUInt16BE() % PORTS.count), token: newToken() };
}

export const newToken = (): string => randomBytes(32).toString("base64url");

/** Keeps an address. Where that is not possible it holds for this start only. */
export function keepAddress(env: Environment, storeId: string, address: PageAddress): void {
  const file = fileOf(env, storeId);
  if (file === undefined) return;
  try {
    mkdirSync(join(file, ".."), { recursive: true, mode: 0o700 });
    writeFileSync(file, `${JSON.stringify(address)}\n`, { mode: 0o600 });
  } catch (error) {
    if (!["EACCES", "EROFS", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

function fileOf(env: Environment, storeId: string): string | undefined {
  return statePath(env, "pages", `${storeId.replaceAll(/[^\w-]/g, "")}.json`);
}
