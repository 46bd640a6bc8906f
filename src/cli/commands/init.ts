import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { openCairn } from "../../checkpoints/cairn.ts";
import { keepOutOfGit } from "../../capture/project-root.ts";
import { CONFIG_TEMPLATE } from "../config/template.ts";
import { PROJECT_FILE } from "../config/settings.ts";
import type { Context } from "../context.ts";
import { findProject, hasStore, registerNew } from "../open.ts";
import type { Output } from "../output.ts";
import type { OptionsOf } from "../spec.ts";
import type { SETUP } from "../table/setup.ts";

type Made = "created" | "already there";

/** Create the store of this project */
export async function init(
  context: Context,
  options: OptionsOf<typeof SETUP.init>,
  output: Output,
): Promise<void> {
  const project = findProject(context);
  const store: Made = hasStore(project) ? "already there" : "created";
  keepOutOfGit(project.root);
  const cairn = await openCairn({ path: project.folder, now: context.now });
  if (store === "created") await registerNew(context, project, cairn);
  await cairn.close();
  const configFile = join(project.root, PROJECT_FILE);
  const config = options.config ? writeIfMissing(configFile, CONFIG_TEMPLATE) : null;
  output.result(
    {
      root: project.root,
      store: { path: project.folder, made: store },
      config: config && { path: configFile, made: config },
    },
    () =>
      [
        `${project.folder}: ${store === "created" ? "created; it keeps itself out of git" : "already there"}`,
        ...(config === null
          ? []
          : [
              `${configFile}: ${config === "created" ? "created; fill in what you need" : "already there, left as it is"}`,
            ]),
      ].join("\n"),
  );
  output.message('Next: checkpoint goal "…", or checkpoint now');
}

function writeIfMissing(path: string, text: string): Made {
  let file: number;
  try {
    file = openSync(path, "wx", 0o644);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return "already there";
    throw error;
  }
  writeSync(file, text);
  closeSync(file);
  return "created";
}
