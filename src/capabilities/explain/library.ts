/** Why something is there, for programs. */
export { explain, type Explanation } from "./explain.ts";
