import type { HasIntegration } from "../integrations/integration.ts";

/** Runs as checks and comments on GitHub, and approvals from there. */
export const github: HasIntegration = {
  name: "github",
  needs: ["integrations", "workflow"],
  integration: async () => (await import("./github.ts")).githubIntegration,
};
