import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { refuseLinks } from "./private-files.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cairn-links-"));
  mkdirSync(join(folder, "real/deep"), { recursive: true });
  writeFileSync(join(folder, "real/file"), "");
});

afterEach(() => rmSync(folder, { recursive: true }));

describe("refuseLinks", () => {
  it("lets real files and folders pass, and what is not there yet", () => {
    for (const path of ["real", "real/file", "real/deep", "real/deep/new", "none/at/all"])
      expect(() => refuseLinks(folder, join(folder, path))).not.toThrow();
  });

  it.each(["file", "deep", "nowhere"])(
    "refuses a symbolic link to %s, and everything behind it",
    (target) => {
      symlinkSync(join(folder, "real", target), join(folder, "link"));
      for (const path of ["link", "link/more"])
        expect(() => refuseLinks(folder, join(folder, path))).toThrow(/link" is a symbolic link/);
    },
  );

  it("refuses a file with a second name", () => {
    linkSync(join(folder, "real/file"), join(folder, "second"));
    expect(() => refuseLinks(folder, join(folder, "second"))).toThrow(/second" has another name elsewhere/);
  });

  it("does not look at the folder itself, which somebody chose", () => {
    symlinkSync(join(folder, "real"), join(folder, "link"));
    expect(() => refuseLinks(join(folder, "link"), join(folder, "link/file"))).not.toThrow();
  });
});
