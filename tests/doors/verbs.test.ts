import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as library from "../../src/project/index.ts";
import type { Project } from "../../src/project/project.ts";
import { Sandbox } from "../cli/support/sandbox.ts";
import { AgentClient } from "../mcp/support/agent-client.ts";
import { ELSEWHERE, type VerbCase, VERBS } from "./verbs.ts";

// Each cell starts a program, which takes long on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 120_000 });

/** Who acts is the same through every door, so that what is recorded can be compared. */
const ENV = { CHECKPOINT_AGENT: "tester" };

/** What a door answered: its result, or the code and words of its refusal. */
type Answer = { readonly result: unknown } | { readonly refused: { code: string; message: string } };

/** A door takes a verb's call in its own form. A new door is a new line here, and a new field of every verb. */
const DOORS = {
  library: async (box: Sandbox, verb: VerbCase, trail?: string): Promise<Answer> => {
    try {
      return { result: await withProject(box, (project) => verb.library(project, trail)) };
    } catch (error) {
      const { code, message } = error as { code: string; message: string };
      return { refused: { code, message } };
    }
  },
  command: async (box: Sandbox, { command }: VerbCase, trail?: string): Promise<Answer> => {
    const words = [...command, "--json", ...(trail === undefined ? [] : ["--trail", trail])];
    const { stdout, stderr } = box.run(words, { env: ENV });
    if (stdout !== "") return { result: JSON.parse(stdout) };
    const { code, message } = (JSON.parse(stderr) as { error: { code: string; message: string } }).error;
    return { refused: { code, message } };
  },
  tool: async (box: Sandbox, { tool }: VerbCase, trail?: string): Promise<Answer> => {
    const [name, input] = tool as Exclude<VerbCase["tool"], string>;
    const agent = await AgentClient.connect(box, { env: ENV });
    try {
      const { data, isError, error } = await agent.call(name, { ...input, ...(trail && { trail }) });
      return isError ? { refused: { code: error.code, message: error.message } } : { result: data };
    } finally {
      await agent.close();
    }
  },
} as const;

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox();
});
afterEach(() => box.remove());

const cells = Object.entries(VERBS).flatMap(([name, verb]) =>
  (Object.keys(DOORS) as (keyof typeof DOORS)[])
    .filter((door) => typeof verb[door] !== "string")
    .map((door) => ({ name, verb, door })),
);

describe("every verb does the same through every door", () => {
  it.each(cells)("$name by $door", async ({ verb, door }) => {
    await withProject(box, async (project) => verb.before?.(project));
    const answer = await DOORS[door](box, verb);
    expect(answer).toHaveProperty("result");
    const { result } = answer as { result: never };
    const states = stable(await statesIn(box));
    const other = new Sandbox();
    try {
      await withProject(other, async (project) => verb.before?.(project));
      const expected = await withProject(other, (project) => verb.library(project));
      expect(states).toEqual(stable(await statesIn(other)));
      const { seen = () => null } = verb;
      expect(stable(seen(result))).toEqual(stable(seen(expected as never)));
    } finally {
      other.remove();
    }
  });
});

describe("every verb that writes refuses the trail of a run, through every door", () => {
  it.each(cells.filter(({ verb }) => verb.writes))("$name by $door", async ({ verb, door }) => {
    await withProject(box, async (project) => verb.before?.(project));
    const before = await statesIn(box);
    const answer = await DOORS[door](box, verb, "run/login-1");
    expect(answer).toEqual({
      refused: {
        code: "usage",
        message: 'Trail "run/login-1" belongs to the run "login-1": only its runner writes to it.',
      },
    });
    expect(await statesIn(box)).toEqual(before);
  });
});

describe("the table of verbs", () => {
  it("has every verb of the library", () => {
    const exported = Object.entries(library)
      .filter(([name, value]) => typeof value === "function" && !HELPERS.includes(name))
      .map(([name]) => name);
    expect(exported.toSorted()).toEqual([...Object.keys(VERBS), ...Object.keys(ELSEWHERE)].toSorted());
  });

  it("says why a door has no call for a verb", () => {
    const reasons = Object.values(VERBS).flatMap(({ tool }) => (typeof tool === "string" ? [tool] : []));
    expect(reasons.filter((reason) => reason.length < 20)).toEqual([]);
  });
});

/** What the library offers beside its verbs. */
const HELPERS = ["openProject", "phaseWords", "phaseAtStart", "allOrOne"];

async function withProject<Result>(
  { folder, home }: Sandbox,
  use: (project: Project) => Promise<Result>,
): Promise<Result> {
  const env = { ...ENV, HOME: home, PATH: process.env["PATH"] };
  const now = () => new Date("2026-01-23T12:00:00Z");
  const project = library.openProject({ path: folder, env, now });
  try {
    return await use(project);
  } finally {
    await project.stores.close();
  }
}

/** The state of every trail, and who saved it why. */
async function statesIn(sandbox: Sandbox): Promise<unknown> {
  return withProject(sandbox, async (project) => {
    const cairn = await project.stores.open(project, "create");
    const names = (await cairn.trails()).map(({ name }) => name).toSorted();
    return Promise.all(
      names.map(async (name) => {
        const { state, trigger, notes, agent_id, session_id } = await cairn.trail(name).load();
        return { name, state, trigger, notes, agent_id, session_id };
      }),
    );
  });
}

/** Without times, ids and places, which differ from call to call. */
function stable(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value)
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
      .replaceAll(/ckpt-\d{8}-\d{6}-[0-9a-f]+/g, "CHECKPOINT")
      .replaceAll(/data-\d{12}/g, "FENCE"),
  );
}
