import { describe, expect, it } from "vitest";
import { loadCommand } from "./main.ts";
import { COMMANDS, type CommandName } from "./table.ts";

describe("loadCommand", () => {
  it.each(Object.keys(COMMANDS) as CommandName[])("finds what %s does", async (name) => {
    expect(await loadCommand(name)).toBeTypeOf("function");
  });
});
