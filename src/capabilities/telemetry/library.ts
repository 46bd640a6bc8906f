/** Numbers about a project, for programs. */
export * from "./metrics.ts";
