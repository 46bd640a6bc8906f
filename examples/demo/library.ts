import type * as Library from "../../src/doors/library/index.ts";

// In your own program this is: import { openCairn } from "cairn-checkpoint";
// The demo runs the build, as you would; the types come from the sources, because they are checked before there is one.
const built = new URL("../../dist/doors/library/index.js", import.meta.url).href;

export const { openCairn } = (await import(built)) as typeof Library;
