import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CheckpointError } from "../../core/errors.ts";

/** A file of the `templates` folder. Searches upwards, because the built program is deeper in the package than the source. */
export function readTemplate(file: string): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const path = join(folder, "templates", file);
    if (existsSync(path)) return readFileSync(path, "utf8");
    if (dirname(folder) === folder)
      throw new CheckpointError(
        "missing-dependency",
        `"templates/${file}" is missing from this installation.`,
        { hint: "npm install --global cairn-checkpoint" },
      );
  }
}
