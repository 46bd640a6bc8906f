import { posix, win32 } from "node:path";
import { describe, expect, it } from "vitest";
import { isInside, recordedPath, withSlashes } from "./recorded-path.ts";

describe("a recorded path", () => {
  it.each([
    [win32, "C:\\work\\app", "C:\\work\\app\\docs\\plan.md", "docs/plan.md"],
    [win32, "C:\\work\\app", "c:\\WORK\\app\\docs\\plan.md", "docs/plan.md"],
    [win32, "C:\\work\\app", "C:/work/app/docs/plan.md", "docs/plan.md"],
    [win32, "C:\\work\\app", "C:\\work\\application\\x.md", "C:/work/application/x.md"],
    [win32, "C:\\work\\app", "D:\\other\\x.md", "D:/other/x.md"],
    [win32, "\\\\server\\share\\app", "\\\\server\\share\\app\\a\\b.md", "a/b.md"],
    [posix, "/work/app", "/work/app/docs/plan.md", "docs/plan.md"],
    [posix, "/work/app", "/work/other/x.md", "/work/other/x.md"],
    [posix, "/work/app", "/work/app/odd\\name.md", "odd\\name.md"],
    [posix, "/work/app", "/work/app/..hidden/x.md", "..hidden/x.md"],
  ])("uses slashes on every system (%#)", (rules, root, path, expected) => {
    expect(recordedPath(root, path, rules)).toBe(expected);
  });

  it("leads out of the project only where it does", () => {
    expect(isInside("C:\\work\\app", "C:\\work\\app\\..\\b", win32)).toBe(false);
    expect(isInside("C:\\work\\app", "C:\\work\\app\\..b", win32)).toBe(true);
    expect(isInside("C:\\work\\app", "C:\\work\\app", win32)).toBe(true);
    expect(withSlashes("out\\a.json", win32)).toBe("out/a.json");
  });
});
