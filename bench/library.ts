import type * as Library from "../src/index.ts";
import type * as Postgres from "../src/store/postgres.ts";

// The build, because what is measured must be what ships; the types from the sources, because types are
// checked before there is a build.
const built = new URL("../dist/index.js", import.meta.url).href;

export const { createRedactor, openCairn } = (await import(built)) as typeof Library;

const postgres = new URL("../dist/store/postgres.js", import.meta.url).href;

export const { migratePostgresStore, openPostgresStore } = (await import(postgres)) as typeof Postgres;
