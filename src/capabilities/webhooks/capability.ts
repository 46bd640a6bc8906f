import type { HasIntegration } from "../integrations/integration.ts";

/** Events as signed requests to addresses of your own. */
export const webhooks: HasIntegration = {
  name: "webhooks",
  needs: ["integrations"],
  integration: async () => (await import("./webhooks.ts")).webhookIntegration,
};
