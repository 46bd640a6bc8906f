/** The problems behind failing checks, for programs. */
export type { Bug } from "./book.ts";
export { bugs, bugsResolve, bugsShow, type BugList } from "./bugs.ts";
