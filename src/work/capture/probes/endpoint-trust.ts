import type { Endpoint } from "./endpoint.ts";

/** Whose configuration an endpoint comes from. A project's is untrusted data. */
export type EndpointSource = "project" | "user";

/**
 * Whether an endpoint may be contacted. The user's own always may. A project's may only if it is on this machine,
 * below the project's folder, or on the user's list: `host`, `host:port`, `scheme://host:port` or the path of a file.
 * Otherwise a cloned repository could make everyone who opens it probe their own network.
 */
export function allowedEndpoint(
  endpoint: Endpoint,
  source: EndpointSource,
  userAllowed: readonly string[],
): boolean {
  return source === "user" || isLocal(endpoint) || isListed(endpoint, userAllowed);
}

/** Whether the user's own list names an endpoint. Only then may a password go there. */
export function isListed(endpoint: Endpoint, userAllowed: readonly string[]): boolean {
  const names = namesOf(endpoint);
  return userAllowed.some((entry) => names.includes(normal(entry)));
}

function isLocal(endpoint: Endpoint): boolean {
  if (endpoint.protocol === "sqlite") return endpoint.isInsideProject;
  return endpoint.host === "localhost" || endpoint.host === "::1" || LOOPBACK_V4.test(endpoint.host);
}

/** Hosts are normalised by now: `0x7f.1` has become four decimal numbers. */
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
