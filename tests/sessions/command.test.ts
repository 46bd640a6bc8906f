import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Sandbox } from "../cli/support/sandbox.ts";
import { Hooks } from "./support/hooks.ts";

const SESSION = "0b6a9f0e-6f6d-4a5c-9d0e-0123456789ab";

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox();
});
afterEach(() => box.remove());

const payload: Hooks["payload"] = (...event) => new Hooks(box).payload(...event);
const hook: Hooks["give"] = (...given) => new Hooks(box).give(...given);

describe("checkpoint hook", () => {
  it("saves a session whose own commands write to the same trail, and hands it over", () => {
    expect(hook(payload("claude/session-start-startup"))).toEqual({ stdout: "", stderr: "", status: 0 });
    hook(payload("claude/user-prompt-submit"));
    const typed = box.run(["decide", "Cookies", "--why", "No script can read them"], {
      env: { CLAUDE_CODE_SESSION_ID: SESSION },
    });
    expect(typed.status).toBe(0);
    const { stdout, status } = hook(payload("claude/session-start-resume"));
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /^\{"hookSpecificOutput":\{"hookEventName":"SessionStart","additionalContext":".*"\}\}\n$/,
    );
    expect(stdout).toContain("Cookies");
    expect(stdout).toContain("Build the login page with tests");
  });

  it("saves a prompt although the checkpoint that the session was handed is pruned", () => {
    hook(payload("claude/user-prompt-submit"));
    hook(payload("claude/post-tool-batch-todos"));
    hook(payload("claude/session-end"));
    const next = { session_id: "11111111-6f6d-4a5c-9d0e-0123456789ab" };
    expect(hook(payload("claude/session-start-startup", next)).stdout).toContain("Build the login page");
    box.run(["goal", "Something else", "--trail", `session/${SESSION}`]);
    expect(box.run(["prune", "--all", "--keep", "1"]).status).toBe(0);
    const prompt = hook(payload("claude/user-prompt-submit", { ...next, prompt: "Go on with it" }));
    expect(prompt).toEqual({ stdout: "", stderr: "", status: 0 });
    const { goal, session } = box.json("load", "--trail", `session/${next.session_id}`) as {
      goal: string;
      session: { handed_over: string };
    };
    expect(goal).toBe("Go on with it");
    expect(box.run(["load", session.handed_over]).status).toBe(3);
  });

  it("keeps the files that it saw when the agent saves by itself, though git calls them clean", () => {
    box.git("init", "-q");
    hook(payload("claude/user-prompt-submit"));
    hook(payload("claude/post-tool-batch"));
    const files = () => box.json("load", "--trail", `session/${SESSION}`)["files_touched"] as string[];
    const before = files();
    expect(before.length).toBeGreaterThan(0);
    writeFileSync(join(box.folder, "written-by-a-shell.txt"), "");
    box.run(["now"], { env: { CLAUDE_CODE_SESSION_ID: SESSION } });
    expect(files()).toEqual([...before, "written-by-a-shell.txt"]);
  });

  it("ends with status 0 whatever it is given", () => {
    for (const input of ["", "{", "[]", "null", "\u0000", payload("claude/notification")]) {
      expect(hook(input)).toEqual({ stdout: "", stderr: "", status: 0 });
    }
    const wrong = hook("{}", { args: ["--no-such-option"] });
    expect(wrong.status).toBe(0);
    expect(wrong.stdout).toBe("");
    expect(hook(payload("gemini/session-end"), { args: ["--client", "gemini"] }).stdout).toBe("{}\n");
  });

  it.skipIf(process.platform !== "linux")(
    "comes to an end where no folder can be made (skipped where there is no /proc)",
    () => {
      const { stdout, status } = hook(payload("claude/user-prompt-submit", { cwd: "/proc/self" }));
      expect(status).toBe(0);
      expect(stdout).toMatch(/^\{"systemMessage":"Cairn: This session is NOT being saved: /);
    },
  );

  it("reads 50 MB to their end, so that the client is not cut off, and leaves them alone", () => {
    hook(payload("claude/user-prompt-submit"));
    const calls = [
      {
        tool_name: "Bash",
        tool_input: { command: "cat big" },
        tool_use_id: "t",
        tool_response: { stdout: "x".repeat(50 * 2 ** 20) },
      },
    ];
    expect(hook(payload("claude/post-tool-batch", { tool_calls: calls }))).toEqual({
      stdout: "",
      stderr: "",
      status: 0,
    });
    expect(readFileSync(join(box.folder, ".cairn/hooks.log"), "utf8")).toMatch(
      / ignored \? \? it is too large/,
    );
    expect(box.run(["verify"]).status).toBe(0);
  });

  const OPEN_FOR_MS = 20_000;

  /** Runs the hook with a shell's pipe or, as most clients do, with a socket for its stdin, which stays open. */
  async function withOpenInput(kind: "pipe" | "socket", pieces: readonly string[], gapMs = 50) {
    const [command = "", ...args] = box.argv(["hook"]);
    const isPipe = kind === "pipe";
    const words = isPipe ? ["-c", `cat | { "$@"; echo done; }`, "sh", command, ...args] : args;
    const child = spawn(isPipe ? "sh" : command, words, {
      cwd: box.folder,
      env: box.environment(),
      stdio: ["pipe", "pipe", "inherit"],
    });
    // The shell itself waits for what writes into the pipe.
    const said = once(child.stdout, isPipe ? "data" : "close");
    const ended = once(child, "close");
    const started = performance.now();
    child.stdin.on("error", () => undefined);
    for (const piece of pieces) {
      child.stdin.write(piece);
      await wait(gapMs);
    }
    const closing = setTimeout(() => child.stdin.end(), OPEN_FOR_MS);
    child.stdout.resume();
    await said;
    const took = performance.now() - started;
    clearTimeout(closing);
    child.stdin.end();
    await ended;
    return took;
  }

  it.each(["pipe", "socket"] as const)(
    "does not wait for the end of a %s behind a whole event",
    async (kind) => {
      const event = payload("claude/user-prompt-submit");
      expect(await withOpenInput(kind, [event])).toBeLessThan(OPEN_FOR_MS / 2);
      expect(await withOpenInput(kind, [event.slice(0, 40), event.slice(40), "\n"])).toBeLessThan(
        OPEN_FOR_MS / 2,
      );
      expect(box.json("load", "--trail", `session/${SESSION}`)["goal"]).toBe(
        "Build the login page with tests",
      );
    },
  );

  it.each(["pipe", "socket"] as const)(
    "saves an event although a %s is silent for more than two seconds in its middle",
    async (kind) => {
      const event = payload("claude/user-prompt-submit");
      await withOpenInput(kind, [event.slice(0, 40), event.slice(40)], 2500);
      expect(box.json("load", "--trail", `session/${SESSION}`)["goal"]).toBe(
        "Build the login page with tests",
      );
    },
  );

  it("ignores a folder as its input", () => {
    box.run(["now"]);
    const input = openSync(box.folder, "r");
    const [command = "", ...args] = box.argv(["hook"]);
    const { status, stderr } = spawnSync(command, args, {
      cwd: box.folder,
      env: box.environment(),
      stdio: [input, "pipe", "pipe"],
      encoding: "utf8",
    });
    closeSync(input);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(readFileSync(join(box.folder, ".cairn/hooks.log"), "utf8")).toMatch(/ ignored \? \? it is empty/);
  });

  it.each(["pipe", "socket"] as const)("gives up half an event that a %s never ends", async (kind) => {
    expect(await withOpenInput(kind, ['{"hook_event_name": "Stop", '])).toBeLessThan(OPEN_FOR_MS / 2);
  });

  it.skipIf(process.platform !== "linux")(
    "gives up a pipe that never says anything (skipped where pipes cannot be opened again)",
    async () => {
      expect(await withOpenInput("pipe", [])).toBeLessThan(OPEN_FOR_MS / 2);
    },
  );

  it("does not wait long for a store that somebody else holds", () => {
    hook(payload("claude/user-prompt-submit"));
    const holder = new DatabaseSync(join(box.folder, ".cairn/store.sqlite"));
    holder.exec("BEGIN IMMEDIATE");
    try {
      const started = performance.now();
      const { stdout, status } = hook(payload("claude/post-tool-batch"));
      expect(status).toBe(0);
      expect(stdout).toContain("the store did not answer within 3000 ms");
      expect(performance.now() - started).toBeGreaterThan(2900);
    } finally {
      holder.exec("ROLLBACK");
      holder.close();
    }
    expect(hook(payload("claude/post-tool-batch")).stdout).toBe("");
  });

  it("shortens 10 MB of output", () => {
    const calls = [
      {
        tool_name: "Bash",
        tool_input: { command: "cat big" },
        tool_use_id: "t",
        tool_response: { stdout: "line of text\n".repeat(800_000) },
      },
    ];
    expect(hook(payload("claude/post-tool-batch", { tool_calls: calls })).status).toBe(0);
    const { recent_outputs } = box.json("load", "--trail", `session/${SESSION}`) as {
      recent_outputs: { output: string }[];
    };
    expect(recent_outputs[0]?.output.length).toBeLessThan(8100);
  });

  it("says once for a session, over all its processes, that nothing can be saved", () => {
    writeFileSync(join(box.folder, ".cairn"), "not a folder");
    const first = hook(payload("claude/user-prompt-submit"));
    expect(first.status).toBe(0);
    expect(JSON.parse(first.stdout)).toHaveProperty(
      "systemMessage",
      expect.stringContaining("NOT being saved"),
    );
    expect(first.stderr).toMatch(/^checkpoint hook: This session is NOT being saved: /);
    expect(hook(payload("claude/stop"))).toEqual({ stdout: "", stderr: "", status: 0 });
    expect(hook(payload("codex/stop")).stdout).toContain("NOT being saved");
  });

  it("knows the secrets of the project's own config once the user has accepted its patterns", () => {
    box.write("cairn.yaml", "redact:\n  patterns:\n    - name: acme\n      pattern: ACME-[A-Z]{8}\n");
    const first = hook(payload("claude/user-prompt-submit", { prompt: "Use ACME-ABCDEFGH today" }));
    expect(first.stderr).toContain("NOT applied until you accept it (acme)");
    expect(hook(payload("claude/user-prompt-submit", { prompt: "And again" })).stderr).toBe("");
    box.run(["config", "--accept-patterns"]);
    hook(payload("claude/user-prompt-submit", { prompt: "Use ACME-ABCDEFGH today", session_id: "accepted" }));
    expect(box.json("load", "--trail", "session/accepted")["goal"]).toBe("Use [redacted:acme] today");
  });

  it("lets the doctor count events", () => {
    hook(payload("claude/user-prompt-submit"));
    hook(payload("claude/notification"));
    expect(box.see("doctor")).toMatch(
      /ok +hooks +agents sent 2 events lately, 1 of them with something to save/,
    );
  });

  it("killed at any moment leaves a store that is whole, and the next event goes on", async () => {
    const started = performance.now();
    hook(payload("claude/user-prompt-submit"));
    const whole = performance.now() - started;
    let killed = 0;
    for (let turn = 0; turn < 12; turn++) {
      const [command = "", ...args] = box.argv(["hook"]);
      const child = spawn(command, args, {
        cwd: box.folder,
        env: box.environment(),
        stdio: ["pipe", "ignore", "ignore"],
      });
      const ended = once(child, "exit") as Promise<[number | null, string | null]>;
      child.stdin.on("error", () => undefined);
      child.stdin.end(payload("claude/user-prompt-submit-later", { prompt: `Instruction ${turn}` }));
      // From the very start to about the end, however quick this machine is today.
      await wait((whole * turn) / 12);
      child.kill("SIGKILL");
      if ((await ended)[1] === "SIGKILL") killed++;
    }
    expect(killed).toBeGreaterThan(0);
    expect(box.run(["verify"]).status).toBe(0);
    hook(payload("claude/user-prompt-submit-later", { prompt: "The last" }));
    const { goal, instructions } = box.json("load", "--trail", `session/${SESSION}`) as {
      goal: string;
      instructions: { text: string }[];
    };
    expect(goal).toBe("Build the login page with tests");
    expect(instructions.at(-1)?.text).toBe("The last");
  });

  it("run by many tool calls at once loses none of them", async () => {
    hook(payload("codex/user-prompt-submit"));
    const ended = Array.from({ length: 6 }, async (_, index) => {
      const [command = "", ...args] = box.argv(["hook"]);
      const child = spawn(command, args, {
        cwd: box.folder,
        env: box.environment(),
        stdio: ["pipe", "ignore", "ignore"],
      });
      const exit = once(child, "exit");
      const call = {
        tool_name: "apply_patch",
        tool_use_id: `c${index}`,
        tool_input: { command: `*** Add File: f${index}.ts` },
      };
      child.stdin.end(payload("codex/post-tool-use-patch", call));
      return exit;
    });
    await Promise.all(ended);
    const trail = "session/0199e2c4-5b7d-7c11-9b9a-3f0a5a1c2d3e";
    const { files_touched } = box.json("load", "--trail", trail) as { files_touched: string[] };
    expect(files_touched.toSorted()).toEqual(["f0.ts", "f1.ts", "f2.ts", "f3.ts", "f4.ts", "f5.ts"]);
  });
});
