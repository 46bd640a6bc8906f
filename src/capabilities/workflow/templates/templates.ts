import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { CheckpointError } from "../../../core/errors.ts";
import { refuseLinks } from "../../../core/store/private-files.ts";
import { readTemplate } from "../../../work/machine/read-template.ts";
import { didYouMean } from "../../../work/yaml/problems.ts";

/** A workflow to start from, with everything that it needs to run offline. */
export interface Template {
  readonly name: string;
  readonly about: string;
  /** Contents by name; `workflow.yaml` is the definition. */
  readonly files: Readonly<Record<string, string>>;
}

export const TEMPLATES: readonly Template[] = [
  template(
    "eight-agents",
    "orchestrator, researcher, planner, test-master, implementer, reviewer, security-auditor, doc-master",
  ),
  template(
    "phase-gated",
    "requirements, architecture, implementation, verification, reflection, with approvals by a person",
  ),
  template(
    "product-flow",
    "one team plans, skeptics review, another builds and tests; each agent keeps a progress file",
    ["agent.sh", "progress.sh"],
  ),
  {
    name: "architecture-review",
    about:
      "the checks of each phase, their coverage in Markdown and JSON, and a council that judges what failed",
    get files() {
      const names = ["workflow.yaml", "phases.json", "review.mjs", "agent.sh"];
      return Object.fromEntries(names.map((name) => [name, readTemplate(`architecture-review/${name}`)]));
    },
  },
];

/** Read from the package's `templates` folder when asked for. `agent` are the parts of its stand-in agent. */
function template(name: string, about: string, agent = ["agent.sh"]): Template {
  return {
    name,
    about,
    get files() {
      return {
        "workflow.yaml": readTemplate(`${name}.yaml`),
        "agent.sh": agent.map(readTemplate).join("\n"),
      };
    },
  };
}

export function findTemplate(name: string): Template {
  const found = TEMPLATES.find((known) => known.name === name);
  if (found) return found;
  const names = TEMPLATES.map((known) => known.name);
  throw new CheckpointError("not-found", `There is no template "${name}".`, {
    hint: didYouMean(name, names, `The templates are ${names.join(", ")}.`),
    details: { name },
  });
}

/** Of a disk that is read-only, Node says that a folder to be made does not exist; making it alone says the truth. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    let missing = path;
    while (!existsSync(dirname(missing))) missing = dirname(missing);
    mkdirSync(missing);
    throw error;
  }
}

/**
 * Writes a template's files into a folder and returns the path of its workflow. Existing files that differ may have
 * been edited: they are refused, unless `overwrite` says that the folder is ours.
 */
export function writeTemplate({ files }: Template, folder: string, { overwrite = false } = {}): string {
  makeFolder(folder);
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    refuseLinks(folder, path);
    if (existsSync(path) && !overwrite) {
      if (readFileSync(path, "utf8") === text) continue;
      throw new CheckpointError("conflict", `"${path}" already exists, and differs from the template.`, {
        hint: "Choose another folder.",
        details: { path },
      });
    }
    writeFileSync(path, text, { mode: name.endsWith(".sh") ? 0o755 : 0o644 });
  }
  return join(folder, "workflow.yaml");
}
