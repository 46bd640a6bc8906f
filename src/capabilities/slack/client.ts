import { CheckpointError } from "../../core/errors.ts";
import { own, textOf } from "../../core/text/untrusted.ts";
import type { IntegrationWorld } from "../integrations/integration.ts";
import { missingSecret } from "../integrations/open-world.ts";
import { ask, type FailureKind } from "../integrations/request.ts";

interface SlackMessage {
  readonly text: string;
  readonly blocks?: readonly object[];
}

export interface SlackClient {
  /** With a bot's token messages can be changed and have buttons; the address of an incoming webhook only takes new ones. */
  readonly isBot: boolean;
  call(method: string, body: object): Promise<unknown>;
  /** The message's timestamp, by which it can be changed; undefined where it cannot. */
  post(message: SlackMessage): Promise<string | undefined>;
  update(ts: string, message: SlackMessage): Promise<void>;
}

const TOKEN = "SLACK_BOT_TOKEN";
const WEBHOOK = "SLACK_WEBHOOK_URL";
/** Slack takes one message a second in a channel. */
const BETWEEN_MS = 1_000;

export async function slackClient(world: IntegrationWorld): Promise<SlackClient | undefined> {
  const { settings, project } = world;
  if (settings.slack === undefined) return undefined;
  const { channel } = settings.slack;
  const token = await world.secret(TOKEN);
  const webhook = token === undefined ? await world.secret(WEBHOOK) : undefined;
  if (token === undefined && webhook === undefined) throw missingSecret(TOKEN, "Slack");
  const server = checkedUrl(project.env["SLACK_API_URL"] || "https://slack.com/api", "$SLACK_API_URL");
  const url = webhook === undefined ? undefined : checkedUrl(webhook, `$${WEBHOOK}`);
  let dueMs = 0;
  const send = async (target: string, body: object, headers: Record<string, string> = {}) => {
    const nowMs = project.now().getTime();
    const waitMs = Math.max(0, dueMs - nowMs);
    dueMs = nowMs + waitMs + BETWEEN_MS;
    if (waitMs > 0) await world.wait(waitMs);
    world.signal.throwIfAborted();
    const type = { "content-type": "application/json; charset=utf-8" };
    const { signal } = world;
    const request = { who: "Slack", url: target, method: "POST", signal };
    return (await ask({ ...request, headers: { ...type, ...headers }, body: JSON.stringify(body) })).body;
  };
  const call = async (method: string, body: object) => {
    const answered = await send(`${server}/${method}`, body, { authorization: `Bearer ${token}` });
    if (own(answered, "ok") === true) return answered;
    throw problem(method, textOf(answered, "error") ?? "unknown");
  };
  return {
    isBot: url === undefined,
    call,
    async post(message) {
      if (url !== undefined) return void (await send(url, message));
      const posted = await call("chat.postMessage", { channel, ...message, unfurl_links: false });
      return textOf(posted, "ts");
    },
    async update(ts, message) {
      await call("chat.update", { channel, ts, ...message });
    },
  };
}

/** Slack says in the body what went wrong. */
function problem(method: string, error: string): CheckpointError {
  const kind: FailureKind = STOPS.has(error) ? "stops" : PASSES.has(error) ? "passes" : "dead";
  return new CheckpointError("failed", `Slack refused ${method}: ${error}.`, {
    hint: HINTS[error] ?? "Check the token and its scopes (chat:write), then start again.",
    details: { kind, error },
  });
}

const STOPS = new Set([
  "invalid_auth",
  "not_authed",
  "account_inactive",
  "token_revoked",
  "token_expired",
  "missing_scope",
  "channel_not_found",
  "not_in_channel",
  "is_archived",
]);
const PASSES = new Set([
  "ratelimited",
  "rate_limited",
  "internal_error",
  "fatal_error",
  "service_unavailable",
]);

const HINTS: Readonly<Record<string, string>> = {
  not_in_channel: "Invite the app to the channel, then start again.",
  channel_not_found: "Check the channel's id, and that the app was invited to it.",
};

/** A token goes there, or it is one itself: it is not repeated. */
function checkedUrl(text: string, name: string): string {
  const url = URL.parse(text);
  const isLocal = url?.protocol === "http:" && ["127.0.0.1", "localhost"].includes(url.hostname);
  if (url?.protocol === "https:" || isLocal) return text.replace(/\/+$/, "");
  throw new CheckpointError("usage", `${name} is not an https address.`, { details: { variable: name } });
}
