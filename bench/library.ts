import type * as Library from "../src/index.ts";

// The build, because what is measured must be what ships; the types from the sources, because types are
// checked before there is a build.
const built = new URL("../dist/index.js", import.meta.url).href;

export const { createRedactor, openCairn } = (await import(built)) as typeof Library;
