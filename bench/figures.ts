import type { Figure } from "./figure.ts";
import { cache } from "./figures/cache.ts";
import { cli } from "./figures/cli.ts";
import { commit } from "./figures/commit.ts";
import { crashes } from "./figures/crashes.ts";
import { diff } from "./figures/diff.ts";
import { explain } from "./figures/explain.ts";
import { files } from "./figures/files.ts";
import { governance } from "./figures/governance.ts";
import { hooks } from "./figures/hooks.ts";
import { load } from "./figures/load.ts";
import { mcp } from "./figures/mcp.ts";
import { memory } from "./figures/memory.ts";
import { mirror } from "./figures/mirror.ts";
import { postgres } from "./figures/postgres.ts";
import { processes } from "./figures/processes.ts";
import { redaction } from "./figures/redaction.ts";
import { remote } from "./figures/remote.ts";
import { removal } from "./figures/removal.ts";
import { search } from "./figures/search.ts";
import { sessions } from "./figures/sessions.ts";
import { size } from "./figures/size.ts";
import { source } from "./figures/source.ts";
import { suggest } from "./figures/suggest.ts";
import { today } from "./figures/today.ts";
import { verify } from "./figures/verify.ts";
import { web } from "./figures/web.ts";
import { workers } from "./figures/workers.ts";
import { workflow } from "./figures/workflow.ts";

/** Everything that is measured of the store and the command, in the order of the report. */
export const STORE_FIGURES: readonly Figure[] = [
  source,
  size,
  commit,
  load,
  diff,
  processes,
  postgres,
  removal,
  verify,
  files,
  mirror,
  cache,
  remote,
  redaction,
  memory,
  cli,
  hooks,
  sessions,
  search,
  explain,
  suggest,
  mcp,
  web,
  workflow,
  workers,
  governance,
  crashes,
  today,
];
