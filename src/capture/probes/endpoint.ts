import { isAbsolute, relative, resolve } from "node:path";

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
  /** What goes into the checkpoint: no user, no password, no path and no query, where tokens like to hide. */
  readonly shown: string;
}

export interface FileEndpoint {
  readonly protocol: "sqlite";
  readonly file: string;
  readonly isInsideProject: boolean;
  readonly shown: string;
}

export type Endpoint = SocketEndpoint | FileEndpoint;

interface Kind {
  readonly protocol: Protocol;
  readonly scheme: string;
  readonly port: number;
}

const REDIS: Kind = { protocol: "redis", scheme: "redis", port: 6379 };
const POSTGRES: Kind = { protocol: "postgres", scheme: "postgres", port: 5432 };
const SQLITE: Kind = { protocol: "sqlite", scheme: "sqlite", port: 0 };

/** What each type or URL scheme that we know means, with its usual port. */
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
} satisfies Record<string, Kind>;

/** How somebody declared it. */
export interface DeclaredEndpoint {
  readonly name: string;
  /** A kind that we know (`vault`, `redis`, `postgres`, …) or any other word (`service`). */
  readonly type: string;
  readonly endpoint: string;
}

/**
 * Understands `redis://localhost:6379`, `127.0.0.1:5432` of type `postgres`, `data/app.db` of type
 * `sqlite`, … Undefined when it cannot be understood: then nothing of it may be shown, because a
 * password could be anywhere in it.
 */
export function parseEndpoint(declared: DeclaredEndpoint, root: string): Endpoint | undefined {
  const [, scheme, rest = ""] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/is.exec(declared.endpoint) ?? [];
  const byScheme = kindOf(scheme);
  const kind = kindOf(declared.type) ?? kindByName(declared.name, byScheme) ?? byScheme;
  if (kind === undefined) return undefined;
  if (kind.protocol === "sqlite") return parseFile(rest.replace(/^(?:sqlite|file):/i, ""), root);
  // The scheme that was typed decides about TLS and port, unless it belongs to another protocol.
  const { protocol, ...address } = byScheme?.protocol === kind.protocol ? byScheme : kind;
  return parseSocket(rest, {
    protocol: protocol as SocketEndpoint["protocol"],
    ...address,
    isVault: kind === KINDS.vault,
  });
}

function kindOf(word: string | undefined): Kind | undefined {
  const key = word?.toLowerCase() ?? "";
  return Object.hasOwn(KINDS, key) ? KINDS[key as keyof typeof KINDS] : undefined;
}

/** A service called `vault` is one, unless its address says that another protocol is spoken there. */
function kindByName(name: string, byScheme: Kind | undefined): Kind | undefined {
  const kind = kindOf(name);
  return byScheme === undefined || kind?.protocol === byScheme.protocol ? kind : undefined;
}

interface SocketKind {
  readonly protocol: SocketEndpoint["protocol"];
  readonly scheme: string;
  readonly port: number;
  readonly isVault: boolean;
}

function parseSocket(rest: string, kind: SocketKind): SocketEndpoint | undefined {
  // Read as HTTP, whatever it is, because only then a host is brought into its one normal form.
  const url = URL.parse(`http://${rest}`);
  // A password with a slash in it ends the host too early, and an @ is left over.
  if (url === null || `${url.pathname}${url.search}${url.hash}`.includes("@")) return undefined;
  const typedPort = /^[^/?#]*:(?<port>\d+)(?:[/?#]|$)/.exec(rest)?.groups?.["port"];
  const port = typedPort === undefined ? kind.port : Number(typedPort);
  if (port < 1 || port > 65_535) return undefined;
  return {
    protocol: kind.protocol,
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port,
    tls: kind.scheme === "https" || kind.scheme === "rediss",
    path: kind.isVault && url.pathname === "/" ? "/v1/sys/health" : `${url.pathname}${url.search}`,
    user: decode(url.username),
    shown: `${kind.scheme}://${url.hostname}${typedPort === undefined ? "" : `:${port}`}`,
  };
}

function parseFile(path: string, root: string): FileEndpoint | undefined {
  // Two slashes would mean another machine on some systems.
  if (path === "" || /^[/\\]{2}|\0/.test(path)) return undefined;
  const file = resolve(root, path);
  const inside = relative(root, file);
  const isInsideProject = !isAbsolute(inside) && !/^\.\.(?:[/\\]|$)/.test(inside);
  return { protocol: "sqlite", file, isInsideProject, shown: isInsideProject ? inside : file };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
