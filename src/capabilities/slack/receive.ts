import { createHmac, timingSafeEqual } from "node:crypto";
import { isCheckpointError } from "../../core/errors.ts";
import { asList, own, parseJson, textOf } from "../../core/text/untrusted.ts";
import { clip, oneLine } from "../../core/text/visible.ts";
import { answerFrom } from "../integrations/answer-for.ts";
import type { IntegrationWorld, Receiver } from "../integrations/integration.ts";
import { missingSecret } from "../integrations/open-world.ts";
import { noteSeen, wasSeen } from "../integrations/seen.ts";

const SIGNING_SECRET = "SLACK_SIGNING_SECRET";
const MAX_AGE_MS = 300_000;

/** Takes buttons that were pressed. */
export async function receiveSlack(world: IntegrationWorld): Promise<Receiver | undefined> {
  if (world.settings.slack === undefined) return undefined;
  const secret = await world.secret(SIGNING_SECRET);
  if (secret === undefined) throw missingSecret(SIGNING_SECRET, "Taking Slack's buttons");
  return async ({ headers, body }) => {
    const timestamp = headers["x-slack-request-timestamp"] ?? "";
    const signature = headers["x-slack-signature"] ?? "";
    if (!isSigned(secret, { timestamp, body, signature }))
      return { status: 401, told: "Refused a request to /slack: its signature is wrong." };
    const ageMs = Math.abs(world.project.now().getTime() - Number(timestamp) * 1000);
    if (!(ageMs <= MAX_AGE_MS))
      return { status: 401, told: "Refused a request to /slack: it is older than five minutes." };
    if (await wasSeen(world.project, "slack", signature))
      return { status: 200, told: "Ignored a request to /slack that came again." };
    const payload = parseJson(new URLSearchParams(body.toString("utf8")).get("payload") ?? "");
    if (own(payload, "type") !== "block_actions") return { status: 200 };
    const told = await press(world, payload);
    await noteSeen(world.project, "slack", signature);
    return { status: 200, told };
  };
}

interface SignedRequest {
  readonly timestamp: string;
  readonly body: Buffer;
  readonly signature: string;
}

function isSigned(secret: string, { timestamp, body, signature }: SignedRequest): boolean {
  const digest = createHmac("sha256", secret).update(`v0:${timestamp}:`).update(body).digest("hex");
  const wanted = Buffer.from(`v0=${digest}`);
  const given = Buffer.from(signature);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** Answers with what the button says, for the person whose account pressed it. Returns what became of it. */
async function press({ project, settings }: IntegrationWorld, payload: unknown): Promise<string> {
  const user = own(payload, "user");
  const userId = textOf(user, "id") ?? "";
  const account = oneLine(clip(textOf(user, "username", "name") ?? userId, 60));
  const { channel, approvers = {} } = settings.slack ?? {};
  const value = parseJson(textOf(asList(own(payload, "actions"))[0], "value") ?? "");
  const run = textOf(value, "run") ?? "";
  const approved = own(value, "approved");
  const refused = (why: string) => `Refused an answer to ${oneLine(clip(run, 100))} by ${account}: ${why}`;
  if (textOf(own(payload, "channel"), "id") !== channel) return refused("it is from another channel.");
  const by = own(approvers, userId);
  if (typeof by !== "string") return refused("the account is not among the approvers.");
  if (typeof approved !== "boolean") return refused("no button of ours says that.");
  const details = {
    step: textOf(value, "step"),
    option: textOf(value, "option"),
    digest: textOf(value, "digest"),
  };
  try {
    const who = { by, account: `Slack account ${account} (${userId})` };
    const step = await answerFrom(project, { run, approved, ...details, ...who });
    return `${approved ? "Approved" : "Rejected"} ${step} of ${run}, by ${oneLine(by)}.`;
  } catch (error) {
    if (!isCheckpointError(error)) throw error;
    return refused(error.message);
  }
}
