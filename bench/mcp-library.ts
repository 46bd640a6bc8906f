import type * as DoorModule from "../src/integrations/mcp/agent-door.ts";
import type * as ServerModule from "../src/integrations/mcp/server.ts";
import type * as StoresModule from "../src/project/open-stores.ts";

// The build, because what is measured must be what ships; the types from the sources, because types are
// checked before there is a build.
const built = (name: string) => new URL(`../dist/${name}.js`, import.meta.url).href;

export const { AgentDoor } = (await import(built("integrations/mcp/agent-door"))) as typeof DoorModule;
export const { createServer } = (await import(built("integrations/mcp/server"))) as typeof ServerModule;
export const { OpenStores } = (await import(built("project/open-stores"))) as typeof StoresModule;
