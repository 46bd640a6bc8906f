import { join } from "node:path";
import { addBlock, type MarkedBlock, removeBlock } from "../marked-block.ts";
import { type ClientPlan, type Direction, planRemoval, readIfThere } from "../planned-change.ts";
import { readPackaged, type SetupWorld } from "../setup-world.ts";

/** Clients without hooks read AGENTS.md: there the agent is asked to save by itself. */
export function planAgentsMd(world: SetupWorld, direction: Direction): ClientPlan {
  const path = join(world.root, "AGENTS.md");
  const before = readIfThere(path);
  const block: MarkedBlock = {
    first: "<!-- Added by checkpoint init; checkpoint init --remove takes it out again. -->",
    body: readPackaged(world, "examples/clients/snippets/AGENTS.md"),
    last: "<!-- End of what checkpoint init added. -->",
  };
  const change =
    direction === "add"
      ? { path, what: "ask agents to save", before, after: addBlock(before ?? "", block) }
      : planRemoval({
          path,
          what: "take our words out",
          before,
          after: before === undefined ? undefined : removeBlock(before, block),
        });
  return { client: "agents-md", name: "AGENTS.md", changes: [change], notes: [] };
}
