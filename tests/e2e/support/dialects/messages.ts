import type { Dialect, Turn } from "./dialect.ts";

/** Anthropic's Messages, which Claude Code speaks. */
export const messages: Dialect = {
  path: /^\/v1\/messages(\?|$)/,
  namesEvents: true,
  answer: (turn, { number, tokens }) => {
    const usage = { input_tokens: tokens, output_tokens: 5 };
    const message = {
      id: `msg_${number}`,
      type: "message",
      role: "assistant",
      model: "scripted",
      content: [],
    };
    return [
      { type: "message_start", message: { ...message, stop_reason: null, stop_sequence: null, usage } },
      ...blocksOf(turn, number),
      { type: "message_delta", delta: { stop_reason: "says" in turn ? "end_turn" : "tool_use" }, usage },
      { type: "message_stop" },
    ];
  },
};

function blocksOf(turn: Turn, number: number): object[] {
  if ("says" in turn) return textBlock(turn.says, 0);
  if ("patches" in turn) throw new Error("This API has no patches.");
  const said = turn.saying === undefined ? [] : textBlock(turn.saying, 0);
  const index = turn.saying === undefined ? 0 : 1;
  const call = { type: "tool_use", id: `toolu_${number}`, name: turn.calls, input: {} };
  const partial_json = JSON.stringify(turn.with);
  return [
    ...said,
    { type: "content_block_start", index, content_block: call },
    { type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json } },
    { type: "content_block_stop", index },
  ];
}

function textBlock(text: string, index: number): object[] {
  return [
    { type: "content_block_start", index, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index, delta: { type: "text_delta", text } },
    { type: "content_block_stop", index },
  ];
}
