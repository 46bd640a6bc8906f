import { describe, expect, it } from "vitest";
import { loadCommand } from "./main.ts";
import { COMMANDS } from "./table.ts";

describe("loadCommand", () => {
  it.each(Object.keys(COMMANDS))("finds what %s does", async (name) => {
    expect(await loadCommand(name)).toBeTypeOf("function");
  });
});
