import { describe, expect, it } from "vitest";
import { CheckpointError, isCheckpointError } from "./errors.ts";

/** As another bundle has it: the same in everything but its identity. */
const Copy = class CheckpointError extends Error {
  override readonly name: string = "CheckpointError";
  readonly code: string;
  readonly details = {};

  constructor(code: string) {
    super("It is gone.");
    this.code = code;
  }
};

describe("isCheckpointError", () => {
  it("knows an error of any copy of the class by its name and code", () => {
    for (const error of [new CheckpointError("not-found", "It is gone."), new Copy("not-found")]) {
      expect(isCheckpointError(error)).toBe(true);
      expect(isCheckpointError(error, "not-found")).toBe(true);
      expect(isCheckpointError(error, "conflict")).toBe(false);
    }
  });

  it("takes nothing else for one of ours", () => {
    const notFound = Object.assign(new Error("It is gone."), { code: "not-found" });
    const others = [undefined, null, "not-found", {}, new Error("failed"), notFound, new Copy("ENOENT")];
    for (const error of [...others, new Copy("toString")]) expect(isCheckpointError(error)).toBe(false);
  });
});
