import { existsSync, realpathSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import { symbolicLink } from "../../../../core/store/private-files.ts";
import { addBlock, type MarkedBlock, removeBlock } from "../marked-block.ts";
import { type Direction, type PlannedChange, planRemoval, readIfThere } from "../planned-change.ts";
import { readPackaged, type SetupWorld } from "../setup-world.ts";

/** Clients without hooks read AGENTS.md: there the agent is asked to save by itself. */
export function planAgentsMd(world: SetupWorld, direction: Direction) {
  const path = join(world.root, "AGENTS.md");
  if (leadsAway(world.root, path)) throw symbolicLink(path);
  const before = readIfThere(path);
  const block: MarkedBlock = {
    first: "<!-- Added by checkpoint init; checkpoint init --remove takes it out again. -->",
    body: readPackaged(world, "examples/clients/snippets/AGENTS.md"),
    last: "<!-- End of what checkpoint init added. -->",
  };
  const change: PlannedChange =
    direction === "add"
      ? { path, what: "ask agents to save", before, after: addBlock(before ?? "", block) }
      : planRemoval({
          path,
          what: "remove our lines",
          before,
          after: before === undefined ? undefined : removeBlock(before, block),
        });
  return { changes: [change], notes: [] };
}

/**
 * A link to another file of the project is fine; a repository may bring one that leads elsewhere, or to what git runs and
 * obeys.
 */
function leadsAway(root: string, path: string): boolean {
  if (!existsSync(path)) return false;
  const [first = "", ...rest] = relative(realpathSync(root), realpathSync(path)).split(sep);
  return (
    isAbsolute(first) || first === ".." || [first, ...rest].some((name) => /^\.(?:git|cairn)$/i.test(name))
  );
}
