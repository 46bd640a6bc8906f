import type { HasIntegration } from "../integrations/integration.ts";

/** What waits and what fails as messages in Slack, and approvals from there. */
export const slack: HasIntegration = {
  name: "slack",
  needs: ["integrations", "workflow"],
  integration: async () => (await import("./slack.ts")).slackIntegration,
};
