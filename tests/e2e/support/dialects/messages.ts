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
      ...blockOf(turn, number),
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "says" in turn ? "end_turn" : "tool_use" }, usage },
      { type: "message_stop" },
    ];
  },
};

function blockOf(turn: Turn, number: number): object[] {
  if ("says" in turn)
    return [
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: turn.says } },
    ];
  if ("patches" in turn) throw new Error("This API has no patches.");
  const call = { type: "tool_use", id: `toolu_${number}`, name: turn.calls, input: {} };
  return [
    { type: "content_block_start", index: 0, content_block: call },
    {
      type: "content_block_delta",
      index: 0,
      delta: { type: "input_json_delta", partial_json: JSON.stringify(turn.with) },
    },
  ];
}
