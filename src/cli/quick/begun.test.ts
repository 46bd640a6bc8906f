import { describe, expect, it } from "vitest";
import { leaveBegun, takeBegun } from "./begun.ts";

const workspace = { finish: async () => ({ files_touched: [], files_omitted: 0 }) };

describe("a look that was begun before", () => {
  it("is given once", () => {
    leaveBegun({ root: "/project", workspace });
    expect(takeBegun("/project")).toBe(workspace);
    expect(takeBegun("/project")).toBeUndefined();
  });

  it("is not given for another project", () => {
    leaveBegun({ root: "/project", workspace });
    expect(takeBegun("/other")).toBeUndefined();
  });
});
