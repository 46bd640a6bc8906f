// A workflow that repeats what it is given and then waits for an answer. As a program: starts it, tells, and waits to be killed.
import { fileURLToPath } from "node:url";
import { Mastra } from "@mastra/core";
import { InMemoryStore, MastraCompositeStore } from "@mastra/core/storage";
import { createStep, createWorkflow } from "@mastra/core/workflows";
import { openCairn } from "cairn-checkpoint";
import { CairnWorkflows } from "cairn-checkpoint/mastra";
import { z } from "zod";

export const PAYLOAD = Array.from({ length: 20_000 }, (_, at) => (at * 7919).toString(36)).join(" ");

const text = z.object({ text: z.string() });
const pass = (id) =>
  createStep({ id, inputSchema: text, outputSchema: text, execute: async ({ inputData }) => inputData });
const result = z.object({ published: z.boolean(), size: z.number() });
const answer = z.object({ yes: z.boolean() });
const ask = createStep({
  id: "ask",
  inputSchema: text,
  outputSchema: result,
  resumeSchema: answer,
  execute: async ({ inputData, resumeData, suspend }) =>
    resumeData === undefined ? suspend({}) : { published: resumeData.yes, size: inputData.text.length },
});

export function open(cairn) {
  const workflows = new CairnWorkflows(cairn);
  const storage = new MastraCompositeStore({
    id: "app",
    default: new InMemoryStore(),
    domains: { workflows },
  });
  const publish = createWorkflow({ id: "publish", inputSchema: text, outputSchema: result })
    .then(pass("first"))
    .then(pass("second"))
    .then(ask)
    .commit();
  const mastra = new Mastra({ storage, workflows: { publish }, logger: false });
  return { workflow: mastra.getWorkflow("publish"), workflows };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { workflow } = open(await openCairn({ path: process.argv[2] }));
  const run = await workflow.createRun();
  const { status } = await run.start({ inputData: { text: PAYLOAD } });
  process.stdout.write(`${status}\n`);
  setInterval(() => undefined, 60_000);
}
