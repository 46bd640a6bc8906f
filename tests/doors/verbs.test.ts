import { describe, expect, it } from "vitest";
import * as library from "../../src/doors/library/project.ts";
import type { Project } from "../../src/work/project/project.ts";
import { publishedSchemas } from "../../scripts/schemas/publish.ts";
import { Sandbox } from "../cli/support/sandbox.ts";
import { violations } from "../cli/support/validate.ts";
import { AgentClient } from "../mcp/support/agent-client.ts";
import { pageApp } from "../../src/doors/page/app.ts";
import { Live } from "../../src/doors/page/live.ts";
import { TABLES, verbNamed } from "../../src/doors/verbs.ts";
import { type UntypedVerb, type VerbEntry, verbName } from "../../src/work/verbs/spec.ts";
import { ELSEWHERE, type VerbCase, VERBS } from "./verbs.ts";

// Most doors start a program, which takes long on a machine that is busy with other tests.
/** Who acts is the same through every door, so that what is recorded can be compared. */
const ENV = { CHECKPOINT_AGENT: "tester" };
const envOf = ({ isPersonal }: VerbCase) => (isPersonal ? {} : ENV);

/** What a door answered: its result, or the code and words of its refusal. */
type Answer = { readonly result: unknown } | { readonly refused: { code: string; message: string } };

/** A door takes a verb's call in its own form. A new door is a new line here, and a new field of every verb. */
const DOORS = {
  library: async (box: Sandbox, verb: VerbCase, trail?: string): Promise<Answer> => {
    try {
      return { result: await withProject(box, (project) => verb.library(project, trail), envOf(verb)) };
    } catch (error) {
      const { code, message } = error as { code: string; message: string };
      return { refused: { code, message } };
    }
  },
  command: async (box: Sandbox, verb: VerbCase, trail?: string): Promise<Answer> => {
    const words = [...(verb.command ?? []), "--json", ...(trail === undefined ? [] : ["--trail", trail])];
    const { stdout, stderr } = box.run(words, { env: envOf(verb) });
    if (stdout !== "") return { result: asPublished(stdout) };
    const { code, message } = (JSON.parse(stderr) as { error: { code: string; message: string } }).error;
    return { refused: { code, message } };
  },
  tool: async (box: Sandbox, { tool }: VerbCase, trail?: string): Promise<Answer> => {
    const [name, input] = tool as NonNullable<VerbCase["tool"]>;
    const agent = await AgentClient.inProcess(box, { env: ENV });
    try {
      const { data, isError, error } = await agent.call(name, { ...input, ...(trail && { trail }) });
      return isError ? { refused: { code: error.code, message: error.message } } : { result: data };
    } finally {
      await agent.close();
    }
  },
  page: async (box: Sandbox, verb: VerbCase, trail?: string): Promise<Answer> => {
    const [name, input] = verb.page as NonNullable<VerbCase["page"]>;
    const headers = { authorization: "Bearer key", host: "127.0.0.1:1" };
    const body = JSON.stringify({ ...input, ...(trail && { trail }) });
    const call = async (project: Project): Promise<Answer> => {
      const app = pageApp({ ...PAGE, project });
      const response = await app.request(`/api/verb/${name}`, { method: "POST", headers, body });
      const { result, error } = (await response.json()) as {
        result?: object;
        error?: { code: string; message: string };
      };
      return error
        ? { refused: { code: error.code, message: error.message } }
        : { result: asCommand(name, result) };
    };
    return withProject(box, call, envOf(verb));
  },
} as const;

const SCHEMAS = publishedSchemas();

/** What a command printed, which is as its published schema says. */
function asPublished(printed: string): unknown {
  const document = JSON.parse(printed) as { readonly schema: string };
  const name = `${/^cairn\/(.*)@1$/.exec(document.schema)?.[1]}.json`;
  expect({ name, wrong: violations(document, SCHEMAS.get(name) ?? false) }).toEqual({ name, wrong: [] });
  return document;
}

/** A page without a browser: what it serves besides verbs is tested in tests/web. */
const PAGE = {
  port: 1,
  token: "key",
  isReadOnly: false,
  files: new Map<string, never>(),
  live: new Live(async () => Promise.reject(new Error("nobody listens"))),
  resume: async () => Promise.reject(new Error("nothing runs")),
};

/** Results as the command prints them: lists under a name, and what a result holds spread out. */
function asCommand(name: string, result: object | undefined): unknown {
  if (Array.isArray(result)) return { [name]: result };
  const { changes, status } = result as { changes?: object; status?: unknown };
  return { ...result, ...changes, ...(typeof status === "object" && status) };
}

type Door = keyof typeof DOORS;

/** The doors that have a call for a verb, the library first. */
const doorsOf = (verb: VerbCase) => (Object.keys(DOORS) as Door[]).filter((door) => verb[door] !== undefined);

describe("every verb does the same through every door", () => {
  it.each(Object.entries(VERBS))("%s", async (_name, verb) => {
    const expected = await effectBy("library", verb);
    for (const door of doorsOf(verb).slice(1))
      expect({ door, ...(await effectBy(door, verb)) }).toEqual({ door, ...expected });
  });
});

/** What a verb leaves behind and answers, in a project of its own. */
async function effectBy(door: Door, verb: VerbCase) {
  return inSandbox(async (box) => {
    await withProject(box, async (project) => verb.before?.(project));
    const answer = await DOORS[door](box, verb);
    expect(answer).toHaveProperty("result");
    const { result } = answer as { result: never };
    const { seen = () => null } = verb;
    return { states: stable(await statesIn(box)), seen: stable(seen(result)) };
  });
}

describe("every verb that writes refuses the trail of a run, through every door", () => {
  const writing = Object.entries(VERBS).filter(([name]) => verbNamed(name)?.writes === "trail");
  it.each(writing)("%s", async (_name, verb) => {
    await inSandbox(async (box) => {
      await withProject(box, async (project) => verb.before?.(project));
      const before = await statesIn(box);
      for (const door of doorsOf(verb))
        expect({ door, ...(await DOORS[door](box, verb, "run/login-1")) }).toEqual({
          door,
          refused: {
            code: "usage",
            message: 'Trail "run/login-1" belongs to the run "login-1": only its runner writes to it.',
          },
        });
      expect(await statesIn(box)).toEqual(before);
    });
  });
});

describe("the table of verbs", () => {
  it("has every verb of the library", () => {
    const exported = Object.entries(library)
      .filter(([name, value]) => typeof value === "function" && !HELPERS.includes(name))
      .map(([name]) => name);
    expect(exported.toSorted()).toEqual([...Object.keys(VERBS), ...Object.keys(ELSEWHERE)].toSorted());
  });

  it("has a call for each door that the verb's entry names, and no other", () => {
    const doorsIn = (name: string) => {
      const entry = verbNamed(name);
      return {
        name,
        command: entry !== undefined && !("command" in entry),
        tool: typeof entry?.tool === "object" && !NOT_CALLED_HERE.includes(name),
        page: typeof entry?.page === "object",
      };
    };
    for (const [name, { command, tool, page }] of Object.entries(VERBS)) {
      const entry = doorsIn(name);
      // A verb without a command of its own may be what others do.
      expect({
        name,
        command: command !== undefined,
        tool: tool !== undefined,
        page: page !== undefined,
      }).toEqual({
        ...entry,
        command: entry.command || command !== undefined,
      });
    }
  });

  it("has entries whose functions are where they say", async () => {
    const entries = TABLES.flatMap((table) => Object.entries<VerbEntry | UntypedVerb>(table.entries));
    const called = entries.filter(
      ([, entry]) => "run" in entry || "show" in entry || typeof entry.page === "object",
    );
    const missing: string[] = [];
    for (const [key, entry] of called) {
      const file = ((await entry.run?.()) ?? {}) as Readonly<Record<string, unknown>>;
      if (typeof file[verbName(key, entry)] !== "function") missing.push(key);
    }
    expect(missing).toEqual([]);
  });

  it("has an entry for each verb, which says why a door lacks it", () => {
    const names = [...Object.keys(VERBS), ...Object.keys(ELSEWHERE)].filter(
      (name) => !NO_VERBS.includes(name),
    );
    const reasons = names.flatMap((name) => {
      const entry = verbNamed(name);
      const command = entry === undefined || "command" in entry ? entry?.command : [];
      return [entry?.tool, entry?.page, command].map((reason) => [name, reason] as const);
    });
    const isReason = (reason: unknown) => typeof reason === "string" && reason.length >= 20;
    expect(reasons.filter(([, reason]) => typeof reason !== "object" && !isReason(reason))).toEqual([]);
  });
});

/** Its tool asks a person: tests/mcp/approve.test.ts. */
const NOT_CALLED_HERE = ["answer"];

/** They take what happens, and nobody calls them by a command. */
const NO_VERBS = ["onRemoteMoved", "sessionEvent"];

/** What the library offers beside its verbs. */
const HELPERS = ["openProject", "openFeed", "phaseWords", "phaseAtStart", "allOrOne"];

async function inSandbox<Result>(use: (box: Sandbox) => Promise<Result>): Promise<Result> {
  const box = new Sandbox();
  try {
    return await use(box);
  } finally {
    box.remove();
  }
}

async function withProject<Result>(
  { folder, home }: Sandbox,
  use: (project: Project) => Promise<Result>,
  who: Record<string, string> = ENV,
): Promise<Result> {
  const env = { ...who, HOME: home, PATH: process.env["PATH"] };
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
