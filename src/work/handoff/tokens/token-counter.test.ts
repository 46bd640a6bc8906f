import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { countTokens, FAMILIES } from "./token-counter.ts";

/**
 * Real counts, recorded while fitting: o200k by gpt-tokenizer 4.0.0, Gemma 3 by bpe-lite 0.5.2, the two Claude
 * families by an outside reconstruction (docs/handoff.md). They hold the tables of weights to the truth.
 */
const RECORDED: readonly { text: string; gpt: number; gemini: number; claude: number; "claude-3": number }[] =
  [
    {
      text: "Make session refresh survive a 401 from the gateway, without logging users out. Two parallel refreshes invalidate each other's token, so the refresh is a single promise that all callers share; whoever comes second waits for the first one. Keep the old cookie for five seconds, because requests in flight still carry it.",
      gpt: 62,
      gemini: 66,
      claude: 96,
      "claude-3": 67,
    },
    {
      text: 'export function parseObjectId(text: string): ObjectId {\n  if (isObjectId(text)) return text;\n  throw new CheckpointError("usage", `"${text}" is not an object id.`, {\n    hint: "An object id is 64 lower-case hex digits.",\n    details: { text },\n  });\n}',
      gpt: 68,
      gemini: 75,
      claude: 100,
      "claude-3": 80,
    },
    {
      text: '{"id":"evd-20261115-120000-1","action":"terraform","success":true,"labels":{"owner":"ada","critical":false,"weight":12.5},"paths":["/srv/vault/openStore.ts","/srv/ledger/commitHead.ts"],"updated_at":"2026-11-15T12:00:00.000Z"}',
      gpt: 78,
      gemini: 99,
      claude: 115,
      "claude-3": 86,
    },
    {
      text: "2026-11-15T12:01:07.221Z ERROR [gateway] handshake timed out after 30007 ms, peer 10.0.3.17:8443\n2026-11-15T12:01:09.114Z WARN [vault] lease renewed, 12 ms\n FAIL  tests/e2e/refresh.spec.ts > retries once after a 401\nAssertionError: expected 2 to be 1\n    at tests/e2e/refresh.spec.ts:48:31\n    at processTicksAndRejections (node:internal/process/task_queues:105:5)\n Test Files  1 failed | 11 passed (12)\n      Tests  1 failed | 75 passed (76)\n request_id=7f3c1b52-9d1e-4c9b-8a55-0f6d2b1e9c44",
      gpt: 193,
      gemini: 245,
      claude: 264,
      "claude-3": 225,
    },
    {
      text: "--- a/src/transport/refresh.ts\n+++ b/src/transport/refresh.ts\n@@ -41,7 +41,7 @@ export class Refresh {\n   async run(): Promise<Token> {\n-    if (this.pending) return this.pending;\n+    if (this.pending !== undefined) return await this.pending;\n     this.pending = this.fetchToken();\n     return this.pending;\n   }",
      gpt: 80,
      gemini: 100,
      claude: 134,
      "claude-3": 104,
    },
    {
      text: "检查点保存代理的工作：目标、约束、决定和下一步。上下文窗口结束时，下一个代理只知道交给它的内容，所以摘要必须在严格的令牌预算内说出最重要的事情。",
      gpt: 49,
      gemini: 42,
      claude: 75,
      "claude-3": 76,
    },
  ];

describe("countTokens", () => {
  it.each(RECORDED)("is close to what a real tokenizer says of %j", ({ text, ...real }) => {
    for (const family of FAMILIES) {
      const { estimate, upper } = countTokens(text, family);
      expect(
        Math.abs(estimate / real[family] - 1),
        `${family} estimate ${estimate}, really ${real[family]}`,
      ).toBeLessThan(0.2);
      // On so little text the bound is only nearly one.
      expect(upper, `${family} bound`).toBeGreaterThanOrEqual(real[family] * 0.95);
    }
  });

  it("bounds any family by the largest of all", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const uppers = FAMILIES.map((family) => countTokens(text, family).upper);
        expect(countTokens(text, "any").upper).toBe(Math.max(...uppers));
      }),
    );
  });

  it("never bounds a text below its estimate", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.constantFrom(...FAMILIES, "any" as const),
        (text, family) => {
          const { estimate, upper } = countTokens(text, family);
          expect(upper).toBeGreaterThanOrEqual(estimate);
        },
      ),
    );
  });

  it("believes a counter that is passed in", () => {
    const counter = { name: "letters", count: (text: string) => text.length };
    expect(countTokens("four", "gpt", counter)).toEqual({
      estimate: 4,
      upper: 4,
      family: "gpt",
      method: "counter:letters",
    });
  });
});
