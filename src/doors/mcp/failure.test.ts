import { describe, expect, it } from "vitest";
import { CheckpointError } from "../../core/errors.ts";
import { failureOf } from "./failure.ts";

const nextOf = (hint: string) => failureOf(new CheckpointError("usage", "x", { hint })).next;

describe("failureOf", () => {
  it("names the hint's command where it only looks", () => {
    expect(nextOf("checkpoint list --all")).toEqual(["checkpoint list --all"]);
    expect(nextOf("checkpoint runs show login-1")).toEqual(["checkpoint runs show login-1"]);
  });

  it("never names a command that decides, deletes, goes back or is more than one", () => {
    for (const hint of [
      "checkpoint approve r ship",
      "checkpoint reject r ship",
      "checkpoint prune --keep 1",
      "checkpoint restore ckpt-1",
      "checkpoint undo",
      "checkpoint cancel r",
      "checkpoint clean",
      "checkpoint resume r",
      "checkpoint list; rm -rf /",
      "checkpoint list $(rm x)",
      "checkpoint list > file",
      "rm -rf .cairn",
    ])
      expect(nextOf(hint)).toEqual([]);
  });

  it("says in every case where to look", () => {
    const codes = ["not-found", "corrupt", "conflict", "failed"] as const;
    for (const code of codes) expect(failureOf(new CheckpointError(code, "x")).next).toHaveLength(1);
  });
});
