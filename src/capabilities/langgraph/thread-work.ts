import { asList, asRecord, asText, own, textOf } from "../../core/text/untrusted.ts";
import type { WorkOfState } from "../../work/project/foreign-states.ts";
import { isInterrupt, storedWrites } from "./stored-writes.ts";

/** So many turns are told; a briefing leaves out what has no room. */
const TURNS = 12;

/** A thread as a briefing tells it: what was asked, what was said, and what waits for an answer. */
export const workOfThread: WorkOfState = (state, records) => {
  const turns: { asked: string; said: string[]; steps: string[] }[] = [];
  for (const message of Object.values(asRecord(own(state, "channels")) ?? {}).flatMap(asList)) {
    const [role, text] = roleAndText(message);
    if (text === "") continue;
    if (role === "human" || role === "user") turns.push({ asked: text, said: [], steps: [] });
    else if (role === "tool") turns.at(-1)?.steps.push(text);
    else if (role !== "") turns.at(-1)?.said.push(text);
  }
  const questions = storedWrites(records)
    .filter(isInterrupt)
    .flatMap(({ json }) => asList(json).map(questionOf));
  const [goal] = turns;
  return {
    ...(goal && { goal: goal.asked, session: { goal_by: "a message of the thread" } }),
    ...(questions.length > 0 && { next_action: `Answer what the graph asks: ${questions.join("; ")}` }),
    instructions: turns.slice(-TURNS).map(({ asked }) => ({ what: asked })),
    activity: { turns: turns.slice(-TURNS) },
  };
};

/** Of a message of LangChain's, or of an object of the same use. */
function roleAndText(message: unknown): [role: string, text: string] {
  const instance = own(message, "$lc");
  const fields = own(instance, "kwargs") ?? message;
  const name = asText(asList(own(instance, "id")).at(-1)) ?? "";
  const role = instance ? name.replace(/Message(Chunk)?$/, "").toLowerCase() : textOf(fields, "role", "type");
  const content = own(fields, "content");
  const parts = typeof content === "string" ? [content] : asList(content).map((part) => textOf(part, "text"));
  return [role ?? "", parts.filter(Boolean).join(" ")];
}

/** What an interrupt asks. */
function questionOf(asked: unknown): string {
  const value = own(asked, "value") ?? asked;
  return typeof value === "string" ? value : JSON.stringify(value);
}
