import { FEED_KINDS, type FeedEvent, type FeedKind } from "../../work/project/feed/feed-event.ts";
import type { Integration, IntegrationWorld, Outlet } from "../integrations/integration.ts";
import { missingSecret } from "../integrations/open-world.ts";
import { ask } from "../integrations/request.ts";
import { webhookHeaders } from "./sign.ts";

/** A run makes a commit for each step: who wants those names them. */
const USUAL_KINDS: readonly FeedKind[] = FEED_KINDS.filter((kind) => kind !== "commit");

const SECRET = "CHECKPOINT_WEBHOOK_SECRET";

/** Sends each event by itself, so that after a crash at most one is sent again. */
export const webhookIntegration: Integration = {
  name: "webhooks",
  async outlets(world) {
    const { webhooks = [] } = world.settings;
    if (webhooks.length === 0) return [];
    const secret = await world.secret(SECRET);
    if (secret === undefined) throw missingSecret(SECRET, "Signing webhooks");
    return webhooks.map(({ name, url, kinds = USUAL_KINDS }) => outlet(world, { name, url, kinds, secret }));
  },
};

interface Webhook {
  readonly name: string;
  readonly url: string;
  readonly kinds: readonly FeedKind[];
  readonly secret: string;
}

function outlet({ project, signal }: IntegrationWorld, { name, url, kinds, secret }: Webhook): Outlet {
  const post = async (id: string, type: string, timestamp: string, data: object) => {
    const body = JSON.stringify({ type, timestamp, data });
    const headers = { "content-type": "application/json", "user-agent": "cairn-checkpoint" };
    const signed = webhookHeaders(secret, { id, at: project.now(), body });
    const who = `The webhook ${name}`;
    await ask({ who, url, method: "POST", headers: { ...headers, ...signed }, body, signal });
  };
  return {
    name: `webhooks.${name}`,
    kinds,
    takes: "each",
    async deliver(events) {
      for (const event of events) await post(event.id, event.type, event.at, dataOf(event));
    },
    async test() {
      const now = project.now().toISOString();
      await post(`test-${now}`, "test", now, {});
      return "took an event of type test";
    },
  };
}

/** The cursor is ours alone. */
const dataOf = (event: FeedEvent): object => ({ ...event, cursor: undefined });
