// A graph that works through a list, one item a step. Kill it and start it again: it continues after the last step that was saved.
// In a project with @langchain/langgraph and cairn-checkpoint: node graph.mjs
import { appendFileSync } from "node:fs";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import {
  Annotation,
  Command,
  END,
  interrupt,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { CairnSaver } from "cairn-checkpoint/langgraph";

const STEPS = Number(process.env.STEPS ?? 20);
const State = Annotation.Root({ ...MessagesAnnotation.spec, done: Annotation(), approved: Annotation() });

const checkpointer = new CairnSaver({ path: ".cairn" });
const graph = new StateGraph(State)
  .addNode("work", ({ done = 0 }) => {
    // What a step does in the world: a line in a file, so that anyone can see what was done, and how often.
    appendFileSync("done.txt", `${done + 1}\n`);
    return { done: done + 1, messages: [new AIMessage(`Finished item ${done + 1} of ${STEPS}.`)] };
  })
  .addNode("ask", () => ({ approved: interrupt(`Publish ${STEPS} items?`) }))
  .addEdge(START, "work")
  .addConditionalEdges("work", ({ done }) => (done < STEPS ? "work" : "ask"))
  .addEdge("ask", END)
  .compile({ checkpointer });

const config = { configurable: { thread_id: "import" }, recursionLimit: 10_000, durability: "sync" };
const [answer] = process.argv.slice(2);
const { values, next } = await graph.getState(config);
if (next.length > 0) console.log(`Continuing after item ${values.done ?? 0}.`);

// Without input a graph continues where its thread was.
const isAsking = next.includes("ask");
const start = { messages: [new HumanMessage(`Work through ${STEPS} items.`)] };
const input = isAsking && answer ? new Command({ resume: answer }) : next.length > 0 ? null : start;
const ended = await graph.invoke(input, config);
console.log(ended.approved === undefined ? "It asks: node graph.mjs yes" : `Approved: ${ended.approved}`);
await checkpointer.close();
