import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { CheckpointError } from "../../errors.ts";
import { didYouMean } from "../definition/problems.ts";
import { EIGHT_AGENTS } from "./eight-agents.ts";
import { PHASE_GATED } from "./phase-gated.ts";
import { PRODUCT_FLOW } from "./product-flow.ts";
import type { Template } from "./template.ts";

export const TEMPLATES: readonly Template[] = [EIGHT_AGENTS, PHASE_GATED, PRODUCT_FLOW];

export function findTemplate(name: string): Template {
  const found = TEMPLATES.find((template) => template.name === name);
  if (found) return found;
  const names = TEMPLATES.map((template) => template.name);
  throw new CheckpointError("not-found", `There is no template "${name}".`, {
    hint: didYouMean(name, names, `The templates are ${names.join(", ")}.`),
    details: { name },
  });
}

/**
 * Writes a template's files into a folder and returns the path of its workflow. Files that are there already
 * and differ are left alone, since somebody may have edited them, unless the folder is ours to overwrite.
 */
export function writeTemplate({ files }: Template, folder: string, { overwrite = false } = {}): string {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    if (existsSync(path) && !overwrite) {
      if (readFileSync(path, "utf8") === text) continue;
      throw new CheckpointError("conflict", `"${path}" is there already, and differs from the template.`, {
        hint: "Choose another folder.",
        details: { path },
      });
    }
    writeFileSync(path, text, { mode: name.endsWith(".sh") ? 0o755 : 0o644 });
  }
  return join(folder, "workflow.yaml");
}
