import { expect, it } from "vitest";
import { addBlock, removeBlock } from "./marked-block.ts";

const BLOCK = {
  first: "<!-- first -->",
  last: "<!-- last -->",
  body: "Save often.\n\n- with checkpoint now\n",
};

it("takes out exactly what it put in", () => {
  for (const text of ["", "# Rules\n", "# Rules\n\n", "# Rules\r\n"]) {
    const added = addBlock(text, BLOCK);
    expect(addBlock(added, BLOCK)).toBe(added);
    expect(removeBlock(added, BLOCK).trimEnd()).toBe(text.trimEnd());
  }
});

it("keeps what somebody wrote between the marks", () => {
  const edited = addBlock("# Rules\n", BLOCK).replace("- with", "Never push to main.\n- with");
  expect(addBlock(edited, BLOCK)).toBe(`${addBlock("# Rules\n", BLOCK)}Never push to main.\n`);
  expect(removeBlock(edited, BLOCK)).toBe("# Rules\n\nNever push to main.\n");
});
