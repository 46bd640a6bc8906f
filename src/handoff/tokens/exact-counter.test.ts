import { describe, expect, it } from "vitest";

import { loadCounter } from "./exact-counter.ts";

describe("loadCounter", () => {
  it("counts with the package, taking special tokens for text", async () => {
    const asked: unknown[] = [];
    const counter = await loadCounter("o200k", async (name) => {
      asked.push(name);
      return {
        countTokens: (text: string, options: { disallowedSpecial: Set<string> }) =>
          text.length + options.disallowedSpecial.size,
      };
    });
    expect(counter.name).toBe("o200k");
    expect(counter.count("<|endoftext|>")).toBe(13);
    expect(asked).toEqual(["gpt-tokenizer/encoding/o200k_base"]);
  });

  it("says what to install when the package is missing", async () => {
    const missing = loadCounter("cl100k", () => Promise.reject(new Error("Cannot find package")));
    await expect(missing).rejects.toMatchObject({
      code: "missing-dependency",
      message: "Counting exactly needs the package gpt-tokenizer.",
      hint: "npm install gpt-tokenizer",
    });
  });

  it("refuses other encodings", async () => {
    await expect(loadCounter("p50k" as never)).rejects.toMatchObject({ code: "usage" });
  });
});
