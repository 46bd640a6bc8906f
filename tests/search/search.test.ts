import { readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as verbs from "../../src/doors/library/project.ts";
import type { Project } from "../../src/work/project/project.ts";
import { emptyActivity } from "../../src/work/state/activity.ts";
import { commitAll, openAt, storeOf, useProjects } from "../feed/support/project.ts";

const makeProject = useProjects();
const find = (project: Project, words: string, more: Partial<verbs.SearchInput> = {}) =>
  verbs.search(project, { words: [words], ...more });
const texts = ({ hits }: verbs.SearchResult) => hits.map(({ text }) => text);

/** A project where a little of everything was said. */
async function fillProject(): Promise<Project> {
  const project = makeProject();
  await verbs.goal(project, { goal: "Ship the login page" });
  await verbs.decide(project, { what: "Drop the cache", why: "It hid stale sessions" });
  await verbs.constraint(project, { text: "Never touch production" });
  await verbs.taskAdd(project, { subject: "Rotate refreshToken in src/auth/tokens.ts" });
  await verbs.now(project, { notes: "before the naïve migration", variables: { region: "eu-west" } });
  return project;
}

describe("search", () => {
  it("finds words of every kind, with who said them and what shows them", async () => {
    const project = await fillProject();
    const { hits } = await find(project, "cache");
    expect(hits).toMatchObject([
      { kind: "decision", who: "person", trail: "main", text: expect.stringContaining("Drop the cache") },
    ]);
    const [hit] = hits;
    expect(hit?.command).toBe(`checkpoint search '${hit?.id}'`);
    const text = "Drop the cache\nIt hid stale sessions";
    expect((await find(project, hit?.id ?? "")).hits).toEqual([{ ...hit, text }]);
    expect((await find(project, "login", { kind: "prompt" })).hits).toMatchObject([
      { text: "Ship the login page" },
    ]);
    expect((await find(project, "login", { kind: "task" })).hits).toEqual([]);
    expect(texts(await find(project, "naive migrations"))).toEqual(["before the naïve migration"]);
    expect(texts(await find(project, "eu-west"))).toEqual(["eu-west"]);
  });

  it.each([
    "refreshToken",
    "refresh_token",
    "refresh token",
    "REFRESH-TOKEN",
    "refreshtoken",
    '"refresh token"',
    "refr*",
    "tokens.ts",
    "src/auth/tokens.ts",
    "why did we rotate the refresh token",
  ])("finds an identifier by %s", async (words) => {
    expect(texts(await find(await fillProject(), words))).toEqual([
      expect.stringContaining("Rotate refreshToken"),
    ]);
  });

  it("asks for all words first, and then for any", async () => {
    const project = makeProject();
    await commitAll(project, ["the cache was dropped", "the login was dropped", "nothing of it"]);
    const found = texts(await find(project, "login dropped"));
    expect(found).toEqual(["the login was dropped", "the cache was dropped"]);
    expect(texts(await find(project, '"dropped login"'))).toEqual([]);
  });

  it("offers words that are like one that occurs nowhere", async () => {
    const { hits, unknown } = await find(await fillProject(), "prodaction");
    expect({ hits, unknown }).toEqual({
      hits: [],
      unknown: [{ word: "prodaction", nearest: ["production"] }],
    });
  });

  it("takes in what was committed since, and finds by session, time and file", async () => {
    const project = await fillProject();
    await find(project, "cache");
    const cairn = await project.stores.open(project, "write");
    const state = {
      lines: [JSON.stringify(EDIT), JSON.stringify(SAID), "{ no json, but words"],
      kind: "transcript",
    };
    await cairn.trail<object>("transcript/claude/s-1").commit(state, { session_id: "s-1" });
    expect((await find(project, "file:auth.ts verify")).hits).toMatchObject([
      { kind: "file", file: "/p/src/auth.ts", session: "s-1", at: "2026-01-02T03:04:05.000Z" },
    ]);
    expect((await find(project, "checked twice", { session: "s-" })).hits).toMatchObject([
      { kind: "said", who: "claude" },
    ]);
    expect(texts(await find(project, "twice", { session: "other" }))).toEqual([]);
    expect(texts(await find(project, "twice", { since: "2026-01-03" }))).toEqual([]);
    expect(texts(await find(project, "words", { kind: "transcript" }))).toEqual(["{ no json, but words"]);
    await expect(find(project, "twice", { since: "soon" })).rejects.toThrow(/neither a date/);
  });

  it("shows one hit a turn, and by its id what was said around it", async () => {
    const project = await fillProject();
    const cairn = await project.stores.open(project, "write");
    const lines = [
      line("user", "Why is the build slow?"),
      line("assistant", "The compiler runs twice."),
      line("assistant", "Now the compiler runs once."),
      line("user", "Thanks, and the linter?"),
      line("assistant", "The linter runs after the compiler."),
    ];
    await cairn
      .trail<object>("transcript/claude/s-1")
      .commit({ lines, kind: "transcript" }, { session_id: "s-1" });
    const { hits, turn } = await find(project, "compiler");
    expect(hits).toHaveLength(2);
    expect(turn).toEqual([]);
    const [first] = (await find(project, "build twice")).hits;
    expect(first?.text).toBe("The compiler runs twice.");
    expect((await find(project, first?.id ?? "")).turn.map(({ text }) => text)).toEqual([
      "Why is the build slow?",
      "Now the compiler runs once.",
    ]);
  });

  it("puts an answer before the question that has just been asked", async () => {
    const project = await fillProject();
    const cairn = await project.stores.open(project, "write");
    const question = "Why did we stop the mirror?";
    await cairn
      .trail<object>("transcript/claude/s-1")
      .commit({ lines: [line("user", "What now?"), line("assistant", "We stop the mirror: it lagged.")] });
    await verbs.goal(project, { goal: question });
    expect(texts(await find(project, "why stop mirror"))).toEqual([
      "We stop the mirror: it lagged.",
      question,
    ]);
  });

  it("finds a long prompt once, as a whole", async () => {
    const project = makeProject();
    const long = `Fix the login page, ${"and everything around it, ".repeat(10)}and tell me`;
    const cairn = await project.stores.open(project, "create");
    const asked = `${long.slice(0, 40)}\n… [100 characters left out] …\n${long.slice(-40)}`;
    await cairn.trail("session/s-1").commit((state) => {
      state.goal = long;
      state.activity = { ...emptyActivity(), turns: [{ at, asked, said: ["I did."] }] };
    });
    expect((await find(project, "login")).hits.map(({ id }) => id.slice(13))).toEqual(["goal#0"]);
  });

  it("finds a long text by its passages, and shows the one with the words", async () => {
    const project = makeProject();
    const filler = "nothing that matters\n".repeat(400);
    await verbs.now(project, { notes: `alpha first\n${filler}bravo charlie here\n${filler}` });
    await verbs.now(project, { notes: "charlie and bravo, in a few words" });
    const found = texts(await find(project, "bravo charlie"));
    expect(found).toEqual([
      "charlie and bravo, in a few words",
      expect.stringContaining("bravo charlie here"),
    ]);
  });

  it("finds words of scripts without blanks", async () => {
    const project = makeProject();
    await commitAll(project, ["キャッシュを削除しました", "登录页面已完成"]);
    expect(texts(await find(project, "削除"))).toEqual(["キャッシュを削除しました"]);
    expect(texts(await find(project, "页面"))).toEqual(["登录页面已完成"]);
  });

  it("drops what was pruned, and keeps what the head still says", async () => {
    const project = makeProject();
    await commitAll(project, ["alpha"]);
    await verbs.decide(project, { what: "Use bravo", why: "It lasts" });
    await verbs.goal(project, { goal: "charlie" });
    expect(texts(await find(project, "alpha"))).not.toEqual([]);
    const store = await storeOf(project);
    await store.remove({ checkpoints: (await store.history("main", { skip: 1 })).map(({ id }) => id) });
    expect((await find(project, "alpha")).hits).toEqual([]);
    const [hit] = (await find(project, "bravo")).hits;
    expect(hit?.text).toContain("Use bravo");
    expect((await find(project, hit?.id ?? "")).hits).toHaveLength(1);
    expect((await find(project, "alpha")).searched).toBe((await find(project, "bravo")).searched);
  });

  it.each([
    "OR AND NOT NEAR(",
    '"',
    '""',
    "* ^ : { } -",
    "words MATCH 'x'; DROP TABLE pieces",
    "text:cache",
    "file:",
    "file:*",
    "cache AND",
    "(cache",
    "cache)",
    "\u001b[31mcache\u0007",
    "\0",
    "a\0b",
    "\ud800",
    "🔥".repeat(300),
    "x ".repeat(900),
  ])("takes %j for words and nothing else", async (words) => {
    const project = await fillProject();
    const { searched } = await find(project, words);
    expect(searched).toBeGreaterThan(3);
    expect(texts(await find(project, "cache"))).toHaveLength(1);
  });

  it("refuses ten megabytes in words", async () => {
    await expect(find(await fillProject(), "x".repeat(10_000_000))).rejects.toThrow(/2000 are the most/);
  });
});

describe("the index", () => {
  it("is closed to others, and made anew when it is damaged, of another store, or deleted", async () => {
    const project = await fillProject();
    const before = await find(project, "cache");
    const path = join(project.folder, "search.sqlite");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const bytes = readFileSync(path);
    const damages = [
      Buffer.from("this is no database at all, but long enough to be taken for the head of one ".repeat(20)),
      Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(bytes.length - 4096, 0xff)]),
      bytes.subarray(0, 5000),
      Buffer.alloc(0),
    ];
    for (const damaged of damages) {
      writeFileSync(path, damaged);
      expect(await find(project, "cache")).toEqual(before);
    }
    const other = makeProject();
    await commitAll(other, ["another cache"]);
    await find(other, "cache");
    writeFileSync(path, readFileSync(join(other.folder, "search.sqlite")));
    expect(await find(project, "cache")).toEqual(before);
  });

  it("says that it cannot search, and not that nothing is there", async () => {
    const project = await fillProject();
    const path = join(project.folder, "search.sqlite");
    await find(project, "cache");
    writeFileSync(`${path}.kept`, "");
    rmSync(path);
    symlinkSync(`${path}.kept`, path);
    await expect(find(project, "cache")).rejects.toThrow(/symbolic link/);
    rmSync(path);
    expect(texts(await find(project, "cache"))).toHaveLength(1);
  });

  it("is brought up to date by several at once", async () => {
    const project = makeProject();
    await commitAll(
      project,
      Array.from({ length: 30 }, (_, index) => `word${index} everywhere`),
    );
    const others = [project, openAt(project.root), openAt(project.root)];
    const results = await Promise.all(others.map((each) => find(each, "everywhere", { limit: 100 })));
    for (const other of others.slice(1)) await other.stores.close();
    for (const { hits } of results) expect(hits).toHaveLength(30);
  });
});

const at = "2026-01-02T03:04:05.000Z";
const line = (role: string, content: string) =>
  JSON.stringify({ type: role, timestamp: at, message: { role, content } });
const EDIT = {
  type: "assistant",
  timestamp: at,
  message: {
    role: "assistant",
    content: [
      {
        type: "tool_use",
        id: "1",
        name: "Edit",
        input: { file_path: "/p/src/auth.ts", new_string: "verify(token)" },
      },
    ],
  },
};
const SAID = {
  type: "assistant",
  timestamp: at,
  message: { role: "assistant", content: [{ type: "text", text: "I checked it twice." }] },
};
