import type { WorkState } from "../../src/doors/library/index.ts";

/** One tool call of an agent, as a stream of them changes the state: an output is added, and the work moves on. */
export function useTool(state: WorkState, call: number): void {
  const file = `src/login/${["form", "session", "passkey", "routes"][call % 4]}.ts`;
  const action = `edit ${file}: ${sentence(call)}`;
  const timestamp = new Date().toISOString();
  state.recent_outputs.push({ type: "tool", id: `call-${call}`, action, success: call % 9 !== 0, timestamp });
  if (!state.files_touched.includes(file)) state.files_touched.push(file);
  state.next_action = `look at what call-${call} printed`;
}

const WORDS =
  "the session keeps a key that the browser made and the server checks it before any row is read".split(" ");

/** About 400 characters that differ from call to call. */
function sentence(call: number): string {
  return Array.from({ length: 70 }, (_, at) => WORDS[(call * 31 + at * (call + 7)) % WORDS.length]).join(" ");
}
