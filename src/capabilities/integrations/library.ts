/** What other services are told, for programs. */
export type { DeadLetter } from "./dead-letters.ts";
export * from "./integrations.ts";
