import type * as DeskModule from "../src/integrations/mcp/desk.ts";
import type * as ServerModule from "../src/integrations/mcp/server.ts";

// The build, because what is measured must be what ships; the types from the sources, because types are
// checked before there is a build.
const built = (name: string) => new URL(`../dist/integrations/mcp/${name}.js`, import.meta.url).href;

export const { Desk } = (await import(built("desk"))) as typeof DeskModule;
export const { createServer } = (await import(built("server"))) as typeof ServerModule;
