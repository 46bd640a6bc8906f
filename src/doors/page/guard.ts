import { timingSafeEqual } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";

/** What every request must show before anything is read or done. */
export interface Guard {
  readonly port: number;
  /** Known to the person's browser only: any program on this machine can reach the port. */
  readonly token: string;
}

/** The largest body: a reason or a note, not a file. */
const MAX_BODY_BYTES = 64 * 1024;

/** Our own script, style and connections. Nothing from elsewhere, no frames, no forms, no inline scripts. */
const HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

/**
 * Refuses what did not come from our own page. The Host header tells a name that was pointed at this machine (DNS
 * rebinding); Origin and Sec-Fetch-Site tell another site's page; the token tells another program. There are no
 * cookies, because a browser sends those to every port of a host.
 */
export function guarded({ port, token }: Guard): [MiddlewareHandler, MiddlewareHandler] {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const origins = hosts.map((host) => `http://${host}`);
  const check: MiddlewareHandler = async (context, next) => {
    for (const [name, value] of Object.entries(HEADERS)) context.header(name, value);
    const { req } = context;
    const origin = req.header("origin");
    const site = req.header("sec-fetch-site");
    // A link or a file of the user may open the page: that only shows it, and nothing without the key.
    const opensPage = req.method === "GET" && req.header("sec-fetch-dest") === "document";
    const isOurs =
      hosts.includes(req.header("host") ?? "") &&
      (origin === undefined || origins.includes(origin)) &&
      (site === undefined || site === "same-origin" || opensPage);
    if (!isOurs) return context.json(refusal("This server answers only its own page."), 403);
    if (req.path.startsWith("/api/") && !isToken(req.header("authorization"), token))
      return context.json(
        refusal(
          "The key is missing or no longer valid. Run checkpoint ui and open the address that it prints.",
        ),
        401,
      );
    return next();
  };
  const limit = bodyLimit({
    maxSize: MAX_BODY_BYTES,
    onError: (context) => context.json(refusal("The request is too large."), 413),
  });
  return [check, limit];
}

function isToken(header: string | undefined, token: string): boolean {
  const given = Buffer.from(header?.replace(/^Bearer /, "") ?? "");
  const wanted = Buffer.from(token);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

export const refusal = (message: string) => ({ error: { code: "refused", message, hint: null } });
