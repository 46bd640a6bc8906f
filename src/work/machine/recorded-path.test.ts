import { posix, win32 } from "node:path";
import { describe, expect, it } from "vitest";
import { isInside, recordedPath, withSlashes } from "./recorded-path.ts";

describe("a recorded path", () => {
  it.each([
    [win32, "C:\\apps\\app", "C:\\apps\\app\\docs\\plan.md", "docs/plan.md"],
    [win32, "C:\\apps\\app", "c:\\APPS\\app\\docs\\plan.md", "docs/plan.md"],
    [win32, "C:\\apps\\app", "C:/apps/app/docs/plan.md", "docs/plan.md"],
    [win32, "C:\\apps\\app", "C:\\apps\\application\\x.md", "C:/apps/application/x.md"],
    [win32, "C:\\apps\\app", "D:\\other\\x.md", "D:/other/x.md"],
    [win32, "\\\\server\\share\\app", "\\\\server\\share\\app\\a\\b.md", "a/b.md"],
    [posix, "/apps/app", "/apps/app/docs/plan.md", "docs/plan.md"],
    [posix, "/apps/app", "/apps/other/x.md", "/apps/other/x.md"],
    [posix, "/apps/app", "/apps/app/odd\\name.md", "odd\\name.md"],
    [posix, "/apps/app", "/apps/app/..hidden/x.md", "..hidden/x.md"],
  ])("uses slashes on every system (%#)", (rules, root, path, expected) => {
    expect(recordedPath(root, path, rules)).toBe(expected);
  });

  it("leads out of the project only where it does", () => {
    expect(isInside("C:\\apps\\app", "C:\\apps\\app\\..\\b", win32)).toBe(false);
    expect(isInside("C:\\apps\\app", "C:\\apps\\app\\..b", win32)).toBe(true);
    expect(isInside("C:\\apps\\app", "C:\\apps\\app", win32)).toBe(true);
    expect(withSlashes("out\\a.json", win32)).toBe("out/a.json");
  });
});
