import { createHmac, timingSafeEqual } from "node:crypto";
import { own, parseJson, textOf } from "../../core/text/untrusted.ts";
import type { IntegrationWorld, Receiver } from "../integrations/integration.ts";
import { missingSecret } from "../integrations/open-world.ts";
import { type Said, takeAnswer } from "./approval.ts";
import { githubClient } from "./client.ts";
import { noteSeen, wasSeen } from "../integrations/seen.ts";

export const WEBHOOK_SECRET = "GITHUB_WEBHOOK_SECRET";

/** Takes GitHub's webhooks. The signature covers the body alone, so the id of a delivery is not the only thing that is remembered. */
export async function receiveGithub(world: IntegrationWorld): Promise<Receiver | undefined> {
  const client = await githubClient(world);
  if (client === undefined) return undefined;
  const secret = await world.secret(WEBHOOK_SECRET);
  if (secret === undefined) throw missingSecret(WEBHOOK_SECRET, "Taking GitHub's webhooks");
  return async ({ headers, body }) => {
    if (!isSigned(secret, body, headers["x-hub-signature-256"]))
      return { status: 401, told: "Refused a request to /github: its signature is wrong." };
    const payload = parseJson(body.toString("utf8"));
    if (textOf(own(payload, "repository"), "full_name") !== client.repository)
      return { status: 202, told: "Ignored a delivery of another repository." };
    const delivery = `delivery/${headers["x-github-delivery"] ?? ""}`;
    if (await wasSeen(world.project, "github", delivery))
      return { status: 202, told: "Ignored a delivery that came again." };
    const said = SAID[headers["x-github-event"] ?? ""]?.(payload);
    const told = said === undefined ? undefined : await takeAnswer(world, client, said);
    if (told !== undefined) await noteSeen(world.project, "github", delivery);
    return { status: 202, ...(told === undefined ? {} : { told }) };
  };
}

function isSigned(secret: string, body: Buffer, header = ""): boolean {
  const wanted = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  const given = Buffer.from(header);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** What was said, of the events that say something. */
const SAID: Readonly<Record<string, (payload: unknown) => Said | undefined>> = {
  issue_comment: (payload) =>
    own(payload, "action") === "created"
      ? saidIn(own(payload, "comment"), Number(own(own(payload, "issue"), "number")))
      : undefined,
  pull_request_review(payload) {
    if (own(payload, "action") !== "submitted") return undefined;
    const review = own(payload, "review");
    const pull = Number(own(own(payload, "pull_request"), "number"));
    return {
      ...saidIn(review, pull),
      id: `review/${Number(own(review, "id"))}`,
      at: textOf(review, "submitted_at") ?? "",
      isEdited: false,
      commit: textOf(review, "commit_id") ?? "none",
    };
  },
};

export function saidIn(comment: unknown, pull: number): Said {
  const at = textOf(comment, "created_at") ?? "";
  return {
    id: `comment/${Number(own(comment, "id"))}`,
    pull,
    user: own(comment, "user"),
    text: textOf(comment, "body") ?? "",
    at,
    isEdited: (textOf(comment, "updated_at") ?? at) !== at,
  };
}
