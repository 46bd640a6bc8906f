import * as native from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import type * as Quick from "./crypto.ts";

/** Fresh, because it counts what it has hashed. */
async function quick(): Promise<typeof Quick> {
  vi.resetModules();
  return import("./crypto.ts");
}

describe("the light crypto", () => {
  it("hashes like Node, before and after it loads Node's own", async () => {
    const { hash } = await quick();
    for (let index = 0; index < 100; index++) {
      const bytes = Buffer.from(`object ${index} ${"x".repeat(index)}`);
      expect(hash("sha256", bytes, "hex")).toBe(native.hash("sha256", bytes, "hex"));
    }
    expect(hash("sha512", "text", "hex")).toBe(native.hash("sha512", "text", "hex"));
  });

  it("loads nothing for a few small objects", async () => {
    const load = vi.spyOn(process, "getBuiltinModule");
    const { hash } = await quick();
    for (let index = 0; index < 8; index++) hash("sha256", Buffer.alloc(128 * 1024, index), "hex");
    expect(load).not.toHaveBeenCalled();
    hash("sha256", Buffer.alloc(500), "hex");
    expect(load).toHaveBeenCalledWith("node:crypto");
    load.mockRestore();
  });

  it("hashes the very same bytes once", async () => {
    const load = vi.spyOn(process, "getBuiltinModule");
    const { hash } = await quick();
    const bytes = Buffer.alloc(128 * 1024);
    for (let index = 0; index < 20; index++)
      expect(hash("sha256", bytes, "hex")).toBe(native.hash("sha256", bytes, "hex"));
    expect(load).not.toHaveBeenCalled();
    load.mockRestore();
  });

  it.each([16, 32, 64, 65, 200])("authenticates like Node with a key of %d bytes", async (length) => {
    const { createHmac } = await quick();
    const key = native.randomBytes(length);
    for (const text of ["", "short", "ä".repeat(3000)]) {
      const expected = native.createHmac("sha256", key).update("begin\n").update(text).digest("hex");
      expect(createHmac("sha256", key).update("begin\n").update(text).digest().toString("hex")).toBe(
        expected,
      );
    }
  });
});
