/** What a shell can complete by looking into the store. Apart, because the table of commands loads nothing that opens one. */
export const COMPLETED = ["checkpoints", "trails", "runs", "steps", "tags"] as const;
