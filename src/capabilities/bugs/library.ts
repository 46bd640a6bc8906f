/** The problems behind failing checks, for programs. */
export type { Bug } from "./verbs.ts";
export { bugs, bugsResolve, bugsShow, type BugList } from "./bugs.ts";
