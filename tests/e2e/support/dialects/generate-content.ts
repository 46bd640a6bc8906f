import type { Dialect, Turn } from "./dialect.ts";

/** Google's generateContent, which Gemini CLI speaks. */
export const generateContent: Dialect = {
  path: /:(streamG|g)enerateContent/,
  wholePath: /:generateContent/,
  answer: (turn, { tokens }) => [
    {
      candidates: [{ content: { role: "model", parts: partsOf(turn) }, finishReason: "STOP", index: 0 }],
      usageMetadata: { promptTokenCount: tokens, candidatesTokenCount: 5, totalTokenCount: tokens + 5 },
    },
  ],
};

function partsOf(turn: Turn): object[] {
  if ("says" in turn) return [{ text: turn.says }];
  if ("patches" in turn) throw new Error("This API has no patches.");
  const said = turn.saying === undefined ? [] : [{ text: turn.saying }];
  return [...said, { functionCall: { name: turn.calls, args: turn.with } }];
}
