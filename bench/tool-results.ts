import { MESSAGE_BLOCK_CHARS, readText, type Corpus } from "./corpus.ts";
import { changedScalars, INITIAL_SCALARS, jsonBytes, newMessage } from "./messages.ts";
import { seededRandom, type Random } from "./random.ts";
import type { Conversation, Workload } from "./workloads.ts";

const RESULT_CHARS = 200_000;
/** Of five results three are read again, one is a small edit of an earlier one, one is new. */
const KINDS = ["again", "again", "again", "edit", "new"] as const;

/**
 * D: a message with every step, and every tenth holds a 200 KB tool result. New bytes count what was never
 * there before: nothing for a result that is read again, and for an edited one only the lines that differ.
 */
export function readingTools(corpus: Corpus): Workload<Conversation> {
  return function* (steps) {
    const random = seededRandom(40);
    const text = readText(corpus, MESSAGE_BLOCK_CHARS, 41);
    const results = toolResults(corpus, random);
    let state: Conversation = { ...INITIAL_SCALARS, messages: [] };
    for (let step = 1; step <= steps; step++) {
      let message = newMessage(step, text, random);
      const scalars = changedScalars(step, state, random);
      let newBytes = jsonBytes(message) + jsonBytes(scalars);
      let distinctBytes = newBytes;
      if (step % 10 === 0) {
        const result = results();
        newBytes += result.newBytes - jsonBytes(message.content);
        distinctBytes += result.distinctBytes - jsonBytes(message.content);
        message = { ...message, role: "tool", content: result.text };
      }
      state = { ...state, ...scalars, messages: [...state.messages, message] };
      yield { state, newBytes, distinctBytes };
    }
  };
}

interface ToolResult {
  readonly text: string;
  readonly newBytes: number;
  readonly distinctBytes: number;
}

function toolResults(corpus: Corpus, random: Random): () => ToolResult {
  const read = readText(corpus, RESULT_CHARS, 42);
  const earlier: string[] = [];
  let kinds: string[] = [];
  return () => {
    if (kinds.length === 0) kinds = random.shuffle(KINDS);
    const kind = earlier.length === 0 ? "new" : kinds.pop();
    if (kind === "again") return { text: random.pick(earlier), newBytes: 0, distinctBytes: 0 };
    const result = kind === "edit" ? editLines(random.pick(earlier), random) : wholly(read(RESULT_CHARS));
    earlier.push(result.text);
    return result;
  };
}

function wholly(text: string): ToolResult {
  return { text, newBytes: jsonBytes(text), distinctBytes: jsonBytes(text) };
}

/** Five lines somewhere get a new end: what editing a file between two readings does. */
function editLines(text: string, random: Random): ToolResult {
  const lines = text.split("\n");
  let newBytes = 0;
  for (let edit = 0; edit < 5; edit++) {
    const at = random.integer(0, lines.length - 1);
    lines[at] = `${lines[at]} // ${random.token(24)}`;
    newBytes += jsonBytes(lines[at]);
  }
  return { ...wholly(lines.join("\n")), newBytes };
}
