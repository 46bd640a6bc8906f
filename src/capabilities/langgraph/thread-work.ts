import type { Json, JsonObject } from "../../core/objects/json.ts";
import { asList, asRecord, asText, own, textOf } from "../../core/text/untrusted.ts";
import { isInterrupted, storedWrites } from "./stored-writes.ts";
import type { WorkOfState } from "../../work/project/foreign-states.ts";

/** So many turns are told; a briefing leaves out what has no room. */
const TURNS = 12;

/** A thread as a briefing tells it: what was asked, what was said, and what waits for an answer. */
export const workOfThread: WorkOfState = (state, records) => {
  const messages = Object.values(asRecord(own(state, "channels")) ?? {}).flatMap((channel) =>
    messagesIn(channel),
  );
  const turns: { asked: string; said: string[]; steps: string[] }[] = [];
  for (const { role, text } of messages) {
    if (role === "human" || role === "user") turns.push({ asked: text, said: [], steps: [] });
    else if (role === "tool") turns.at(-1)?.steps.push(text);
    else turns.at(-1)?.said.push(text);
  }
  const questions = isInterrupted(records) ? storedWrites(records).flatMap(questionOf) : [];
  const asked = turns.map((turn) => ({ what: turn.asked }));
  return {
    ...(asked[0] !== undefined && { goal: asked[0].what, session: { goal_by: "a message of the thread" } }),
    ...(questions.length > 0 && { next_action: `Answer what the graph asks: ${questions.join("; ")}` }),
    instructions: asked.slice(-TURNS),
    activity: { turns: turns.slice(-TURNS) },
  };
};

interface SaidMessage {
  readonly role: string;
  readonly id: string;
  readonly text: string;
}

/** Messages of LangChain, or objects of the same use, in a channel that is a list of them. */
function messagesIn(channel: unknown): SaidMessage[] {
  return asList(channel).flatMap((each, at) => {
    const isClass = own(each, "lc") === 1;
    const fields = isClass ? own(each, "kwargs") : each;
    const name = asText(asList(own(each, "id")).at(-1))
      ?.replace(/Message(Chunk)?$/, "")
      .toLowerCase();
    const role = (isClass ? name : (textOf(fields, "role") ?? textOf(fields, "type"))) ?? "";
    const text = contentOf(own(fields, "content"));
    return role === "" || text === "" ? [] : [{ role, id: textOf(fields, "id") ?? `${at + 1}`, text }];
  });
}

function contentOf(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = asList(content).map((part) => textOf(part, "text") ?? "");
  return parts.filter(Boolean).join(" ");
}

/** What an interrupt asks. Its value is a list of questions, or one of them. */
function questionOf({ channel, json }: { readonly channel: string; readonly json: Json }): string[] {
  if (channel !== "__interrupt__") return [];
  const asked = Array.isArray(json) ? json : [json];
  return asked.map((each) => {
    const value = (each as JsonObject | null)?.["value"] ?? each;
    return typeof value === "string" ? value : JSON.stringify(value);
  });
}
