import type { Dialect, Turn } from "./dialect.ts";

/** OpenAI's Chat Completions, which OpenCode speaks with any provider. */
export const chatCompletions: Dialect = {
  path: /^\/v1\/chat\/completions/,
  end: "data: [DONE]\n\n",
  answer: (turn, { number, tokens }) => {
    const chunk = { id: `c${number}`, object: "chat.completion.chunk", created: 1, model: "scripted" };
    const finish = "says" in turn ? "stop" : "tool_calls";
    const usage = { prompt_tokens: tokens, completion_tokens: 5, total_tokens: tokens + 5 };
    return [
      { ...chunk, choices: [{ index: 0, delta: { role: "assistant", ...deltaOf(turn, number) } }] },
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: finish }], usage },
    ];
  },
};

function deltaOf(turn: Turn, number: number): object {
  if ("says" in turn) return { content: turn.says };
  if ("patches" in turn) throw new Error("This API has no patches.");
  const call = { name: turn.calls, arguments: JSON.stringify(turn.with) };
  const content = turn.saying === undefined ? {} : { content: turn.saying };
  return { ...content, tool_calls: [{ index: 0, id: `call${number}`, type: "function", function: call }] };
}
