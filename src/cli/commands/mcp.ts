import { join } from "node:path";
import { keepOutOfGit } from "../../capture/files/project-root.ts";
import { type Cairn, openCairn, STORE_FILE } from "../../checkpoints/cairn.ts";
import { visible } from "../../text/visible.ts";
import { openSqliteStore } from "../../store/sqlite.ts";
import type { Opening, Project } from "../../integrations/mcp/world.ts";
import { readSettings } from "../../project/settings/settings.ts";
import type { Context } from "../context.ts";
import { findProject, hasStore, registerNew } from "../open.ts";
import type { Output } from "../output.ts";
import { explainError } from "../report-error.ts";
import { version } from "../version.ts";

/** Serve checkpoints to an agent, as an MCP server on stdin and stdout */
export async function mcp(
  context: Context,
  options: { readonly dir?: string | undefined },
  output: Output,
): Promise<void> {
  if (context.isInteractive)
    output.message("This is an MCP server: it waits for an agent client on stdin. Ctrl-C ends it.");
  const stopping = new AbortController();
  context.onInterrupt(() => stopping.abort());
  const { serveMcp } = await import("../../integrations/mcp/serve.ts");
  const { cwd, env, now, runtime, kill } = context;
  await serveMcp(
    {
      version,
      env,
      cwd,
      userId: runtime.userId,
      now,
      chosenFolder: options.dir === undefined ? undefined : cwd,
      findProject: (folder) => findProject({ ...context, cwd: folder }),
      hasStore,
      openStore: (project, opening) => open(context, project, opening),
      settings: (root) => readSettings(context, root),
      runner: { pid: runtime.pid, host: runtime.host, kill },
      explain: explainError,
      // At once, and never to stdout, whatever form was asked for.
      log: (line) => output.error({ message: line }, `checkpoint mcp: ${visible(line)}`),
    },
    { ...context.streams(), stop: stopping.signal },
  );
}

async function open(context: Context, project: Project, opening: Opening): Promise<Cairn> {
  const isNew = !hasStore(project);
  if (isNew && opening === "create") keepOutOfGit(project.root);
  const path = join(project.folder, STORE_FILE);
  const store = await openSqliteStore({ path, readOnly: opening === "read" });
  const cairn = await openCairn({ store, now: context.now });
  if (isNew && opening === "create") await registerNew(context, project, cairn);
  return cairn;
}
