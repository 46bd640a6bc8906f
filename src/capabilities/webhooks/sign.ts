import { createHmac } from "node:crypto";

/** What a signature covers. The id stays the same when the event is sent again, the time does not. */
export interface SignedParts {
  readonly id: string;
  readonly at: Date;
  readonly body: string;
}

/** The headers of Standard Webhooks 1.0. A secret is `whsec_` and base64; any other text counts by its bytes. */
export function webhookHeaders(secret: string, { id, at, body }: SignedParts): Record<string, string> {
  const key = secret.startsWith("whsec_")
    ? Buffer.from(secret.slice("whsec_".length), "base64")
    : Buffer.from(secret);
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}
