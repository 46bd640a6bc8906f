// Only until src/cli imports `environment.ts` itself.
export type { Environment } from "./environment.ts";
