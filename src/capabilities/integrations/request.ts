import { CheckpointError } from "../../core/errors.ts";
import { parseJson, textOf } from "../../core/text/untrusted.ts";
import { clip, oneLine } from "../../core/text/visible.ts";

export interface OutgoingRequest {
  /** Who is asked, in messages: never the address, which may hold a secret. */
  readonly who: string;
  readonly url: string | URL;
  readonly method?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal: AbortSignal;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** What a failed delivery means for the next: try it again, put it aside, or stop until a person has changed something. */
export type FailureKind = "passes" | "dead" | "stops";

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 4 * 2 ** 20;

/** Asks another service. Any answer but success is an error whose details say what to do with it. */
export async function ask({ who, signal, ...request }: OutgoingRequest): Promise<Answered> {
  const { status, headers, text } = await exchange(who, signal, request);
  const body = parseJson(text) ?? text;
  if (status >= 200 && status < 300) return { status, headers, body };
  const said = textOf(body, "message", "error") ?? "";
  const why = said === "" ? "" : `: ${clip(oneLine(said), 200)}`;
  const kind = kindOf(status, headers);
  throw new CheckpointError("failed", `${who} answered ${status}${why}.`, {
    hint: HINTS[status] ?? "checkpoint integrations test",
    details: { kind, status, retry_after_ms: retryAfterMs(headers) },
  });
}

async function exchange(
  who: string,
  signal: AbortSignal,
  { url, ...request }: Omit<OutgoingRequest, "who" | "signal">,
): Promise<{ status: number; headers: Headers; text: string }> {
  try {
    const answer = await fetch(url, {
      ...request,
      body: request.body ?? null,
      // A redirect could carry a token, or the events, to another host.
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    return { status: answer.status, headers: answer.headers, text: await boundedText(answer) };
  } catch (error) {
    if (signal.aborted) throw error;
    const { cause, name } = error as { cause?: { code?: string }; name?: string };
    const code = name === "TimeoutError" ? "no answer in time" : (cause?.code ?? "no connection");
    throw new CheckpointError("failed", `${who} cannot be reached: ${code}.`, {
      hint: "checkpoint integrations test",
      details: { kind: "passes" satisfies FailureKind },
    });
  }
}

async function boundedText(answer: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of answer.body ?? []) {
    size += part.length;
    if (size > MAX_BYTES) break;
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

/** GitHub tells of its limits with 403 too. */
function kindOf(status: number, headers: Headers): FailureKind {
  if (status >= 500 || [408, 425, 429].includes(status)) return "passes";
  if (status === 403 && retryAfterMs(headers) !== undefined) return "passes";
  return [401, 403, 410].includes(status) ? "stops" : "dead";
}

/** How long the other side wants to be left alone. */
function retryAfterMs(headers: Headers): number | undefined {
  const after = headers.get("retry-after");
  if (after !== null && /^\d{1,9}$/.test(after)) return Number(after) * 1000;
  if (headers.get("x-ratelimit-remaining") !== "0") return undefined;
  const reset = Number(headers.get("x-ratelimit-reset")) * 1000;
  const date = Date.parse(headers.get("date") ?? "");
  return Number.isFinite(reset - date) ? Math.max(1000, reset - date) : 60_000;
}

const HINTS: Readonly<Record<number, string>> = {
  401: "The token or secret is wrong or has expired. Set a new one, then start again.",
  403: "The token lacks the permission for this. Give it one that has it, then start again.",
  404: "It is not there, or the token may not see it.",
  410: "The other side wants no more events. Take it out of the configuration, or give its new address.",
};
