import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { explain, type Explanation, openProject } from "../../src/doors/library/project.ts";
import { showExplanation } from "../../src/capabilities/explain/show-explanation.ts";
import { Client, CLAUDE_SESSION } from "../sessions/support/client.ts";
import { Transcript } from "../sessions/support/transcript.ts";

const RETRY = [
  "export async function retryOnce(request: Request): Promise<Response> {",
  "  const first = await send(request, { refresh: false });",
  "  return first.status === 401 ? send(request, { refresh: true }) : first;",
  "}",
  "",
].join("\n");
const REPORT = "export const reportOfRetries = (count: number) => `retried ${count} times`;\n";

let client: Client;
let transcript: Transcript;
/** When a line of the transcript was written, and so what was done then: one second each. */
let seconds: number;

beforeEach(() => {
  client = new Client();
  transcript = new Transcript(client);
  seconds = 0;
  git("init", "-q", "-b", "main");
  commitByHand(
    "readme.md",
    "A shop that is written by agents and by people\n",
    "Begin",
    "2026-11-01T09:00:00Z",
  );
});
afterEach(() => client.remove());

describe("explain", () => {
  it("finds the session that made a commit, with what was asked, said and checked", async () => {
    const hash = await retrySession();
    const told = await explained(hash);
    expect(told.sources).toMatchObject([
      { certainty: "certain", how: "git printed this commit there", trail: `session/${CLAUDE_SESSION}` },
    ]);
    const [turn] = told.sources[0]!.turns;
    expect(turn?.story.map(({ kind, text }) => [kind, text])).toEqual([
      ["prompt", "Make the session survive a 401 from the gateway"],
      ["said", expect.stringContaining("because the gateway drops idle sessions")],
      ["check", "passed: npm test"],
      ["edit", "src/retry.ts"],
    ]);
    expect(showExplanation(told)).toMatch(
      /^commit [0-9a-f]{9} {2}Retry once .*\n\ncertain: session\/.*\n {2}2026-11-15 10:00\n {4}prompt {2}Make the session/,
    );
  });

  it.each<[string, (hash: string) => void]>([
    ["an amended content", () => amend("src/other.ts", "export const other = 'added to the same commit';\n")],
    ["an amended message", () => git("commit", "-q", "--amend", "-m", "A better subject for it")],
    ["a rebase", () => rebase()],
    ["a cherry-pick", (hash) => cherryPick(hash)],
  ])("knows a commit again after %s", async (_what, rewrite) => {
    const hash = await retrySession();
    rewrite(hash);
    const told = await explained("HEAD");
    expect(told.about.commit).not.toBe(hash);
    expect(told.sources[0]).toMatchObject({ trail: `session/${CLAUDE_SESSION}` });
    expect(told.sources[0]?.how).toMatch(/author date/);
    expect(told.sources[0]?.turns[0]?.story[0]?.text).toContain("survive a 401");
  });

  it("knows a squash by its lines, and never calls that certain", async () => {
    await retrySession();
    git("checkout", "-q", "-b", "squashed", "HEAD~1");
    git("merge", "-q", "--squash", "main");
    gitAt("2026-11-17T12:00:00Z", "commit", "-q", "-m", "Everything of this week");
    const told = await explained("HEAD");
    expect(told.sources).toMatchObject([{ certainty: "likely" }]);
    expect(told.sources[0]?.how).toMatch(/wrote 3 of the 3 lines/);
  });

  it("says nothing of a commit that no session made", async () => {
    await retrySession();
    commitByHand(
      "by-hand.ts",
      "export const byHand = 'a person wrote this line';\n",
      "By hand",
      "2026-11-16T09:00:00Z",
    );
    const told = await explained("HEAD");
    expect(told.sources).toEqual([]);
    expect(showExplanation(told)).toContain("No recorded session led to it");
    expect((await explained("HEAD~2")).sources).toEqual([]);
  });

  it("finds commits that nothing but HEAD told of, one by one, and what they became, as no more than possible", async () => {
    await stop();
    transcript.asked("Generate the tables");
    for (const table of ["one", "two"]) {
      write(`${table}.txt`, "1\n");
      git("add", ".");
      gitAt("2026-11-15T10:00:01Z", "commit", "-q", "-m", `Table ${table}`);
      transcript.ran("./generate.sh", "");
    }
    await stop();
    gitAt("2026-11-16T12:00:00Z", "commit", "-q", "--amend", "-m", "Both tables");
    for (const what of ["HEAD", "HEAD~1"]) {
      const { sources } = await explained(what);
      expect(sources).toMatchObject([
        { certainty: "possible", how: expect.stringMatching(/during a turn in which HEAD moved/) },
      ]);
      expect(sources[0]?.turns[0]?.story[0]?.text).toBe("Generate the tables");
    }
    expect((await explained("HEAD~2")).sources).toEqual([]);
  });

  it("calls a person's commit during a turn no more than possible", async () => {
    await stop();
    transcript.asked("Look around");
    commitByHand("by-hand.txt", "x\n", "By hand", "2026-11-15T10:00:01Z");
    transcript.ran("ls", "by-hand.txt");
    await stop();
    expect((await explained("HEAD")).sources).toMatchObject([
      { certainty: "possible", how: expect.stringMatching(/^HEAD moved to it/) },
    ]);
  });

  it("tells where a line comes from, committed or not", async () => {
    await retrySession();
    const line = await explained("src/retry.ts:3");
    expect(line.about).toMatchObject({
      kind: "line",
      subject: "Retry once",
      line: expect.stringContaining("401"),
    });
    expect(line.sources).toMatchObject([{ certainty: "certain" }]);
    transcript.asked("Now report how often");
    edited("src/report.ts", REPORT);
    await stop();
    const fresh = await explained("src/report.ts:1").catch((error: unknown) => error);
    expect(fresh).toMatchObject({ code: "not-found" });
    git("add", "--intent-to-add", "src/report.ts");
    expect((await explained("src/report.ts:1")).sources).toMatchObject([
      { certainty: "likely", turns: [{ story: [{ text: "Now report how often" }, { kind: "edit" }] }] },
    ]);
    expect((await explained("src/report.ts")).sources).toMatchObject([{ how: "it edited this file" }]);
  });

  it("tells where a decision comes from", async () => {
    await retrySession();
    await client.change((state) => {
      state.decisions.push({
        what: "Retry once only",
        why: "Twice hides outages",
        at: "2026-11-15T10:00:02.000Z",
      });
    });
    const told = await explained("twice hides");
    expect(told.about).toMatchObject({ kind: "decision", what: "Retry once only" });
    expect(told.sources).toMatchObject([
      { certainty: "certain", turns: [{ at: "2026-11-15T10:00:00.000Z" }] },
    ]);
    await expect(explained("no such thing")).rejects.toMatchObject({ code: "not-found" });
  });

  it("keeps no line that could hold a secret, and no line at all as it is", async () => {
    transcript.asked("Configure it");
    edited(
      "config.ts",
      'export const password = "correct horse battery";\nexport const retries = { most: 3, waitMs: 250 };\n',
    );
    await stop();
    const { activity } = await client.state();
    expect(activity?.written).toMatchObject([{ path: "config.ts", lines: [expect.any(Number)] }]);
  });
});

/** A session in which a file is written, tested and committed; returns the commit. */
async function retrySession(): Promise<string> {
  transcript.asked("Make the session survive a 401 from the gateway");
  transcript.said(
    "It fails because the gateway drops idle sessions: one retry with a fresh session is enough.",
  );
  edited("src/retry.ts", RETRY);
  transcript.ran("npm test", "12 passed");
  git("add", ".");
  gitAt("2026-11-15T10:00:07Z", "commit", "-q", "-m", "Retry once");
  const hash = git("rev-parse", "HEAD");
  transcript.ran('git commit -m "Retry once"', `[main ${hash.slice(0, 8)}] Retry once\n 1 file changed`);
  await stop();
  return hash;
}

async function stop(): Promise<void> {
  await client.send("claude/stop", { transcript_path: transcript.path, last_assistant_message: undefined });
}

async function explained(what: string): Promise<Explanation> {
  const project = openProject({ path: client.folder, env: { HOME: client.home, PATH: process.env["PATH"] } });
  try {
    return await explain(project, { what });
  } finally {
    await project.stores.close();
  }
}

function edited(path: string, content: string): void {
  write(path, content);
  transcript.called("Write", { file_path: join(client.folder, path), content }, { type: "create" });
}

function write(path: string, content: string): void {
  mkdirSync(dirname(join(client.folder, path)), { recursive: true });
  writeFileSync(join(client.folder, path), content);
}

function commitByHand(path: string, content: string, subject: string, at: string): void {
  write(path, content);
  git("add", ".");
  gitAt(at, "commit", "-q", "-m", subject);
}

function amend(path: string, content: string): void {
  write(path, content);
  git("add", ".");
  git("commit", "-q", "--amend", "--no-edit");
}

function rebase(): void {
  git("checkout", "-q", "-b", "base", "HEAD~1");
  commitByHand(
    "base.ts",
    "export const base = 'the branch moved on meanwhile';\n",
    "Move on",
    "2026-11-15T11:00:00Z",
  );
  git("checkout", "-q", "main");
  git("rebase", "-q", "base");
}

function cherryPick(hash: string): void {
  git("checkout", "-q", "-b", "picked", "HEAD~1");
  commitByHand(
    "picked.ts",
    "export const picked = 'another branch by a person';\n",
    "Other",
    "2026-11-15T11:00:00Z",
  );
  git("cherry-pick", hash);
}

function git(...args: readonly string[]): string {
  return gitAt(`2026-11-16T10:00:${String(seconds++ % 60).padStart(2, "0")}Z`, ...args);
}

function gitAt(at: string, ...args: readonly string[]): string {
  const env = {
    PATH: process.env["PATH"],
    HOME: client.home,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_DATE: at,
    GIT_COMMITTER_DATE: at,
  };
  const identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
  const { status, stdout, stderr } = spawnSync("git", [...identity, ...args], {
    cwd: client.folder,
    env,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout.trim();
}
