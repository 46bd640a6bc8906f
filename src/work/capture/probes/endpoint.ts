import { resolve } from "node:path";
import { isInside, recordedPath } from "../../machine/recorded-path.ts";

type Protocol = "http" | "redis" | "postgres" | "sqlite" | "tcp";

/** Where a server listens. */
export interface SocketEndpoint {
  readonly protocol: Exclude<Protocol, "sqlite">;
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  /** Path and query, for HTTP. Vault's health path when the type is `vault` and none was given. */
  readonly path: string;
  readonly user: string;
  /** What goes into the checkpoint: no user, password, path or query, any of which may hold a token. */
  readonly shown: string;
}

export interface FileEndpoint {
  readonly protocol: "sqlite";
  readonly file: string;
  readonly isInsideProject: boolean;
  readonly shown: string;
}

export type Endpoint = SocketEndpoint | FileEndpoint;

interface EndpointKind {
  readonly protocol: Protocol;
  readonly scheme: string;
  readonly port: number;
}

const REDIS: EndpointKind = { protocol: "redis", scheme: "redis", port: 6379 };
const POSTGRES: EndpointKind = { protocol: "postgres", scheme: "postgres", port: 5432 };
const SQLITE: EndpointKind = { protocol: "sqlite", scheme: "sqlite", port: 0 };

/** The known types and URL schemes, each with its usual port. */
const KINDS = {
  http: { protocol: "http", scheme: "http", port: 80 },
  https: { protocol: "http", scheme: "https", port: 443 },
  vault: { protocol: "http", scheme: "https", port: 8200 },
  redis: REDIS,
  rediss: { protocol: "redis", scheme: "rediss", port: 6379 },
  valkey: REDIS,
  dragonfly: REDIS,
  dragonflydb: REDIS,
  postgres: POSTGRES,
  postgresql: POSTGRES,
  sqlite: SQLITE,
  file: SQLITE,
  tcp: { protocol: "tcp", scheme: "tcp", port: 0 },
} satisfies Record<string, EndpointKind>;

/** An endpoint as a configuration declares it. */
export interface DeclaredEndpoint {
  readonly name: string;
  /** A known kind (`vault`, `redis`, `postgres`, …) or any other word (`service`). */
  readonly type: string;
  readonly endpoint: string;
}

/**
 * Parses `redis://localhost:6379`, `127.0.0.1:5432` of type `postgres`, `data/app.db` of type `sqlite`, …
 * Undefined if it is invalid: then none of it may be shown, because a password could be anywhere in it.
 */
export function parseEndpoint(declared: DeclaredEndpoint, root: string): Endpoint | undefined {
  const [, scheme, rest = ""] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/is.exec(declared.endpoint) ?? [];
  const byScheme = kindOf(scheme);
  const kind = kindOf(declared.type) ?? kindByName(declared.name, byScheme) ?? byScheme;
  if (kind === undefined) return undefined;
  if (kind.protocol === "sqlite") return parseFile(rest.replace(/^(?:sqlite|file):/i, ""), root);
  // The given scheme decides about TLS and port, unless it belongs to another protocol.
  const address = byScheme?.protocol === kind.protocol ? byScheme : kind;
  return parseSocket(rest, address, kind === KINDS.vault);
}

function kindOf(word: string | undefined): EndpointKind | undefined {
  const key = word?.toLowerCase() ?? "";
  return Object.hasOwn(KINDS, key) ? KINDS[key as keyof typeof KINDS] : undefined;
}

/** A service called `vault` is one, unless its address names another protocol. */
function kindByName(name: string, byScheme: EndpointKind | undefined): EndpointKind | undefined {
  const kind = kindOf(name);
  return byScheme === undefined || kind?.protocol === byScheme.protocol ? kind : undefined;
}

function parseSocket(rest: string, kind: EndpointKind, isVault: boolean): SocketEndpoint | undefined {
  // Parsed as HTTP, whatever it is: only then is the host normalised.
  const url = URL.parse(`http://${rest}`);
  // A slash in a password ends the host too early and leaves an @ over.
  if (url === null || `${url.pathname}${url.search}${url.hash}`.includes("@")) return undefined;
  const typedPort = /^[^/?#]*:(?<port>\d+)(?:[/?#]|$)/.exec(rest)?.groups?.["port"];
  const port = typedPort === undefined ? kind.port : Number(typedPort);
  if (port < 1 || port > 65_535) return undefined;
  return {
    protocol: kind.protocol as SocketEndpoint["protocol"],
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port,
    tls: kind.scheme === "https" || kind.scheme === "rediss",
    path: isVault && url.pathname === "/" ? "/v1/sys/health" : `${url.pathname}${url.search}`,
    user: decode(url.username),
    shown: `${kind.scheme}://${url.hostname}${typedPort === undefined ? "" : `:${port}`}`,
  };
}

function parseFile(path: string, root: string): FileEndpoint | undefined {
  // On some systems two slashes mean another machine.
  if (path === "" || /^[/\\]{2}|\0/.test(path)) return undefined;
  const file = resolve(root, path);
  return { protocol: "sqlite", file, isInsideProject: isInside(root, file), shown: recordedPath(root, file) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
