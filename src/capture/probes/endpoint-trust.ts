import type { Endpoint } from "./endpoint.ts";

/** Whose configuration an endpoint comes from. A project's is data that somebody else may have written. */
export type EndpointSource = "project" | "user";

/**
 * Whether an endpoint may be contacted. What the user configured, always; what the project did, only on
 * this machine, or below the project's own folder, or where the user's list names it: `host`,
 * `host:port`, `scheme://host:port` or the path of a file. Otherwise a cloned repository could make
 * everyone who opens it knock on any door of their network.
 */
export function allowedEndpoint(
  endpoint: Endpoint,
  source: EndpointSource,
  userAllowed: readonly string[],
): boolean {
  return source === "user" || isLocal(endpoint) || isListed(endpoint, userAllowed);
}

/** Whether the user's own list names an endpoint: only then may a password go there. */
export function isListed(endpoint: Endpoint, userAllowed: readonly string[]): boolean {
  const names = namesOf(endpoint);
  return userAllowed.some((entry) => names.includes(normal(entry)));
}

function isLocal(endpoint: Endpoint): boolean {
  if (endpoint.protocol === "sqlite") return endpoint.isInsideProject;
  return endpoint.host === "localhost" || endpoint.host === "::1" || LOOPBACK_V4.test(endpoint.host);
}

/** Hosts were brought into normal form, so that `0x7f.1` and the like have become four decimal numbers. */
const LOOPBACK_V4 = /^127(?:\.\d{1,3}){3}$/;

function namesOf(endpoint: Endpoint): string[] {
  if (endpoint.protocol === "sqlite") return [endpoint.file];
  const { host, port, shown } = endpoint;
  const bracketed = host.includes(":") ? `[${host}]` : host;
  const scheme = shown.slice(0, shown.indexOf(":"));
  return [host, bracketed, `${bracketed}:${port}`, `${scheme}://${bracketed}:${port}`, shown];
}

function normal(entry: string): string {
  // Paths keep their case; hosts have none.
  return entry.startsWith("/") ? entry : entry.toLowerCase().replace(/\/$/, "");
}
