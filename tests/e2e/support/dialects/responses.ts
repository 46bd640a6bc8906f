import type { Dialect, Turn } from "./dialect.ts";

/** OpenAI's Responses, which Codex speaks. */
export const responses: Dialect = {
  path: /^\/v1\/responses/,
  namesEvents: true,
  answer: (turn, { number, tokens }) => {
    const usage = { input_tokens: tokens, output_tokens: 5, total_tokens: tokens + 5 };
    return [
      { type: "response.created", response: { id: `r${number}` } },
      ...("saying" in turn && turn.saying !== undefined
        ? [done({ says: turn.saying }, `${number}said`)]
        : []),
      done(turn, `${number}`),
      { type: "response.completed", response: { id: `r${number}`, usage } },
    ];
  },
};

function done(turn: Turn, name: string): object {
  return { type: "response.output_item.done", item: itemOf(turn, name) };
}

function itemOf(turn: Turn, number: string): object {
  const ids = { id: `item${number}`, call_id: `call${number}` };
  if ("says" in turn)
    return {
      type: "message",
      id: ids.id,
      role: "assistant",
      content: [{ type: "output_text", text: turn.says }],
    };
  if ("patches" in turn)
    return { type: "custom_tool_call", ...ids, name: "apply_patch", input: turn.patches };
  const namespace = turn.of === undefined ? {} : { namespace: turn.of };
  return {
    type: "function_call",
    ...ids,
    ...namespace,
    name: turn.calls,
    arguments: JSON.stringify(turn.with),
  };
}
