import { readFileSync, rmSync, unlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as recorded from "../transcripts/support/recordings.ts";
import { Sandbox } from "./support/sandbox.ts";

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox();
  box.git("init", "-q");
});
afterEach(() => box.remove());

/** What a person would see, without the name that Claude Code gives the folder. */
const see = (...args: string[]) => withoutFolder(box.see(...args));
const withoutFolder = (text: string) => text.replaceAll(/-[\w-]*-project(?=\/)/g, "FOLDER");

/** What both clients would have left behind, some hours before the sandbox's clock starts. */
function record(): { claude: string; codex: string } {
  const claude = recorded.recordClaude(box.home, box.folder);
  const codex = recorded.recordCodex(box.home, box.folder);
  const at = new Date("2026-01-23T10:30:00Z");
  for (const path of [claude, codex]) utimesSync(path, at, at);
  return { claude, codex };
}

describe("checkpoint import claude and codex", () => {
  it("says first what it would do, and then does it once", () => {
    record();
    expect(box.see("import", "claude", "--dry-run")).toMatchInlineSnapshot(
      `"0b6a9f0e-6f6d-4a5c-9d0e-0123456789ab  1 h ago  28 lines  Add a login page. ⏎ Keep it small."`,
    );
    expect(box.see("import", "claude")).toMatchInlineSnapshot(`
      "0b6a9f0e-6f6d-4a5c-9d0e-0123456789ab  1 h ago  28 new lines  Add a login page. ⏎ Keep it small.
      ! Created PROJECT/.cairn, which keeps itself out of git."
    `);
    expect(box.see("import", "claude")).toMatchInlineSnapshot(
      `"0b6a9f0e-6f6d-4a5c-9d0e-0123456789ab  1 h ago  nothing new  Add a login page. ⏎ Keep it small."`,
    );
    expect(box.see("import", "codex")).toMatchInlineSnapshot(
      `"019a2b3c-4d5e-7f60-8a9b-0123456789ab  1 h ago  21 new lines  Make the cache faster"`,
    );
    expect(box.see("status")).toContain("Goal       Make the cache faster");
  });

  it("shows no secret either, that it keeps out of the archive", () => {
    const { claude } = record();
    const token = "ghp_aB3dEfGh1JkLmN0pQrStUvWxYz0123456789";
    recorded.writeText(
      claude,
      recorded
        .asText(recorded.claudeLines(box.folder))
        .replaceAll("Add a login page", `Log in with ${token}`),
    );
    for (const args of [["--dry-run"], [], ["--json"]]) {
      const { stdout, stderr } = box.run(["import", "claude", ...args]);
      expect(stdout).toContain("[redacted:github-token]");
      expect(stdout + stderr).not.toContain(token);
    }
  });

  it("writes nothing in a dry run, not even a store", () => {
    record();
    box.run(["import", "codex", "--dry-run"]);
    expect(box.see("list")).toContain("There is no checkpoint in this project yet.");
  });

  it("gives the transcript back, byte for byte, after the client has deleted it", () => {
    const { claude } = record();
    const text = readFileSync(claude);
    box.run(["import", "claude"]);
    unlinkSync(claude);
    expect(box.see("export", "--transcript", "0b6a9f0e", "--output", "t.jsonl")).toMatchInlineSnapshot(
      `"Wrote PROJECT/t.jsonl (13 kB)."`,
    );
    expect(readFileSync(join(box.folder, "t.jsonl"))).toEqual(text);
    expect(box.run(["export", "--transcript", recorded.CLAUDE_ID]).stdout).toBe(text.toString());
    expect(box.see("export", "--transcript", "nope")).toMatchInlineSnapshot(`
      "! error: No transcript of a session "nope" is archived.
      ! hint: checkpoint import claude --dry-run
      [exit 3]"
    `);
    expect(box.see("export", "--transcript", "nope", "--history")).toMatchInlineSnapshot(`
      "! error: --transcript names what to export, so nothing else does.
      ! hint: checkpoint export --help
      [exit 2]"
    `);
  });

  it("chooses by session, file and time, and says what it does not find", () => {
    const { codex } = record();
    const ids = (...args: string[]) =>
      (box.json("import", ...args, "--dry-run")["sessions"] as { session_id: string }[]).map(
        ({ session_id }) => session_id,
      );
    expect(ids("codex", "--session", recorded.CODEX_ID)).toEqual([recorded.CODEX_ID]);
    expect(ids("codex", "--session", codex)).toEqual([recorded.CODEX_ID]);
    expect(ids("codex", "--since", "1h")).toEqual([]);
    expect(ids("codex", "--since", "1d")).toEqual([recorded.CODEX_ID]);
    expect(ids("codex", "--since", "2026-01-24")).toEqual([]);
    expect(box.see("import", "codex", "--since", "1h")).toMatchInlineSnapshot(
      `"! No session of codex was found for this project in HOME/.codex."`,
    );
    expect(box.see("import", "codex", "--session", "nope")).toMatchInlineSnapshot(`
      "! error: codex recorded no session "nope".
      ! hint: checkpoint import codex --all --dry-run
      [exit 3]"
    `);
    expect(box.see("import", "codex", "--session", "/etc/passwd")).toMatchInlineSnapshot(`
      "! error: codex recorded no session "/etc/passwd".
      ! hint: checkpoint import codex --all --dry-run
      [exit 3]"
    `);
    expect(box.see("import", "codex", "--since", "soon")).toMatchInlineSnapshot(`
      "! error: "soon" is neither a date nor a time such as 7d.
      ! hint: --since 7d, --since 12h or --since 2026-01-23
      [exit 2]"
    `);
    expect(box.see("import", "x.json", "--since", "1h")).toMatchInlineSnapshot(`
      "! error: --since is for sessions of agent clients, not for a file.
      ! hint: checkpoint import claude --dry-run
      [exit 2]"
    `);
  });

  it("goes on after lines and files that it cannot read, and says which", () => {
    const { claude } = record();
    recorded.writeText(claude, `${recorded.asText(recorded.claudeLines(box.folder))}{"type":"us`);
    const broken = recorded.writeText(
      recorded.claudePath(join(box.home, ".claude"), box.folder, "broken"),
      "\0\0not json\n{}\n",
    );
    utimesSync(broken, new Date("2026-01-23T09:00:00Z"), new Date("2026-01-23T09:00:00Z"));
    const damaged = recorded.writeText(
      `${recorded.codexPath(join(box.home, ".codex"), recorded.CODEX_ID.replace("019a", "019c"))}.zst`,
      "no zstd",
    );
    utimesSync(damaged, new Date("2026-01-23T09:00:00Z"), new Date("2026-01-23T09:00:00Z"));
    const seen = box.run(["import", "claude", "--all"]);
    expect(seen.status).toBe(0);
    expect(withoutFolder(box.stable(seen.stderr))).toMatchInlineSnapshot(`
      "Created PROJECT/.cairn, which keeps itself out of git.
      warning: HOME/.claude/projects/FOLDER/broken.jsonl: line 1 was kept, but not understood: it is not JSON.
      warning: HOME/.claude/projects/FOLDER/0b6a9f0e-6f6d-4a5c-9d0e-0123456789ab.jsonl: line 29 was kept, but not understood: it is incomplete: its writer was killed, or is still writing.
      "
    `);
    expect(box.see("import", "codex", "--all")).toMatchInlineSnapshot(`
      "019c2b3c-4d5e-7f60-8a9b-0123456789ab  3 h ago  not read
      019a2b3c-4d5e-7f60-8a9b-0123456789ab  1 h ago  21 new lines  Make the cache faster
      ! warning: HOME/.codex/sessions/2026/01/23/rollout-2026-01-23T10-00-00-019c2b3c-4d5e-7f60-8a9b-0123456789ab.jsonl.zst cannot be read: Unknown frame descriptor
      [exit 1]"
    `);
  });

  it("still reads a file that is called like a client", () => {
    box.run(["now"]);
    box.run(["export", "--output", "claude"]);
    expect(box.run(["import", "./claude", "--json"]).stdout).toContain('"format":"checkpoint"');
  });
});

describe("checkpoint sessions", () => {
  it("shows what each session did, whether it lives, and how to go on", () => {
    const { codex } = record();
    box.run(["import", "claude"]);
    box.run(["import", "codex"]);
    expect(box.see("sessions")).toMatchInlineSnapshot(`
      "019a2b3c-4d5e-7f60-8a9b-0123456789ab  codex  waiting  1 h ago
          Make the cache faster
          1 of 2 tasks done, 2 files, at: Change
          codex resume 019a2b3c-4d5e-7f60-8a9b-0123456789ab
      0b6a9f0e-6f6d-4a5c-9d0e-0123456789ab  claude-code  died  1 h ago
          Add a login page. ⏎ Keep it small.
          1 of 2 tasks done, 1 file, 1 check failing, stopped at: Write the test
          claude --resume 0b6a9f0e-6f6d-4a5c-9d0e-0123456789ab"
    `);
    expect(see("sessions", "show", "0b6a")).toMatchInlineSnapshot(`
      "Session    0b6a9f0e-6f6d-4a5c-9d0e-0123456789ab  claude-code, claude-opus-4-7
      Status     died: the last sign of it is 1 h 33 min old, in the middle of work: a client that is killed says nothing
      Last seen  1 h ago
      Goal       Add a login page.
                 Keep it small.
      Progress   1 of 2 tasks done, 1 file, 1 check failing, stopped at: Write the test
      Tokens     1,265
      Did last   Bash npm test
      Said last  The form is there; the test is next.
      Files      src/login.html
      Failing    npm test
      Sub-agents a1b2  completed, Explore
      Transcript HOME/.claude/projects/FOLDER/0b6a9f0e-6f6d-4a5c-9d0e-0123456789ab.jsonl
                 archived in trail transcript/claude/0b6a9f0e-6f6d-4a5c-9d0e-0123456789ab
      Go on      claude --resume 0b6a9f0e-6f6d-4a5c-9d0e-0123456789ab
                 checkpoint summary --trail session/0b6a9f0e-6f6d-4a5c-9d0e-0123456789ab

      2026-01-23 10:00  prompt   Add a login page. ⏎ Keep it small.
      2026-01-23 10:03  said     I will plan.
      2026-01-23 10:05  calls    3 calls: TaskCreate, TaskUpdate
      2026-01-23 10:11  edit     src/login.html created +1 -1
      2026-01-23 10:13  failed   Edit missing.ts
      2026-01-23 10:15  check    failed: npm test
      2026-01-23 10:17  calls    2 calls: TaskUpdate, Agent
      2026-01-23 10:22  prompt   Now write the test, please.
      2026-01-23 10:23  said     The form is there; the test is next.
      2026-01-23 10:26  calls    1 call: TaskUpdate"
    `);
    // Nothing more comes of a session that is over.
    expect(box.run(["sessions", "show", "0b6a", "--follow"]).status).toBe(0);
    const { stdout } = box.run(["summary", "--trail", `session/${recorded.CLAUDE_ID}`]);
    expect(stdout).toMatch(new RegExp(`\\nResume: \`claude --resume ${recorded.CLAUDE_ID}\`\\n$`));
    rmSync(codex);
    expect(box.see("sessions", "show", recorded.CODEX_ID)).toMatchInlineSnapshot(`
      "Session    019a2b3c-4d5e-7f60-8a9b-0123456789ab  codex, gpt-5.5-codex
      Status     waiting: it finished its turn; whether its window is still open is unknown
      Last seen  1 h ago
      Goal       Make the cache faster
      Progress   1 of 2 tasks done, 2 files, at: Change
      Did last   exec_command npm run bench
      Said last  It is twice as fast.
      Files      src/cache.ts
                 src/cache.test.ts
      Transcript HOME/.codex/sessions/2026/01/23/rollout-2026-01-23T10-00-00-019a2b3c-4d5e-7f60-8a9b-0123456789ab.jsonl (missing)
                 archived in trail transcript/codex/019a2b3c-4d5e-7f60-8a9b-0123456789ab
      Go on      checkpoint export --transcript 019a2b3c-4d5e-7f60-8a9b-0123456789ab --output HOME/.codex/sessions/2026/01/23/rollout-2026-01-23T10-00-00-019a2b3c-4d5e-7f60-8a9b-0123456789ab.jsonl
                 codex resume 019a2b3c-4d5e-7f60-8a9b-0123456789ab
                 checkpoint summary --trail session/019a2b3c-4d5e-7f60-8a9b-0123456789ab

      2026-01-23 10:04  prompt   Make the cache faster
      2026-01-23 10:07  calls    1 call: update_plan
      2026-01-23 10:09  failed   exec_command npm run bench
      2026-01-23 10:11  edit     src/cache.ts changed +1 -1
      2026-01-23 10:11  edit     src/cache.test.ts created +1 -0
      2026-01-23 10:13  said     It is twice as fast.
      2026-01-23 10:16  failed   apply_patch
      2026-01-23 10:18  failed   update_plan"
    `);
    expect(box.see("sessions", "show", "nope")).toMatchInlineSnapshot(`
      "! error: There is no session "nope".
      ! hint: checkpoint sessions --all
      [exit 3]"
    `);
    expect(box.see("sessions", "show", "0")).toMatchInlineSnapshot(`
      "! error: "0" is the beginning of 2 sessions.
      ! hint: Type more of the id: checkpoint sessions --all
      [exit 2]"
    `);
  });

  it("knows sessions by what hooks captured, and calls one dead only after long silence", () => {
    const env = { CLAUDE_CODE_SESSION_ID: "live-1" };
    const start = {
      session_id: "live-1",
      cwd: box.folder,
      hook_event_name: "UserPromptSubmit",
      prompt: "Fix the build",
    };
    const { status } = box.run(["hook", "--client", "claude"], { env, input: JSON.stringify(start) });
    expect(status).toBe(0);
    const statusOf = () =>
      (box.json("sessions")["sessions"] as { id: string; status: string; resume: string }[])[0];
    expect(statusOf()).toMatchObject({ id: "live-1", status: "working", resume: "claude --resume live-1" });
    box.setMinutes(45);
    expect(statusOf()).toMatchObject({ status: "died" });
    const end = { session_id: "live-1", cwd: box.folder, hook_event_name: "SessionEnd", reason: "other" };
    box.run(["hook", "--client", "claude"], { env, input: JSON.stringify(end) });
    expect(statusOf()).toMatchObject({ status: "ended" });
  });

  it("says what to do when there is none", () => {
    expect(box.see("sessions")).toMatchInlineSnapshot(`
      "! error: There is no checkpoint in this project yet.
      ! hint: checkpoint now
      [exit 3]"
    `);
    box.run(["now"]);
    expect(box.see("sessions")).toMatchInlineSnapshot(
      `"! No agent session is known yet.\n! To read those that were recorded: checkpoint import claude"`,
    );
  });

  it("never prints an id that a shell would obey as a command", () => {
    const id = "x; rm -rf ~";
    recorded.recordClaude(box.home, box.folder, id);
    box.run(["import", "claude"]);
    const [session] = box.json("sessions")["sessions"] as { resume: string | null }[];
    expect(session?.resume).toBeNull();
    expect(box.see("sessions")).not.toContain("claude --resume");
  });
});
