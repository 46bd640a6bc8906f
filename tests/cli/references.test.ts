import { spawnSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Sandbox } from "./support/sandbox.ts";

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox();
});
afterEach(() => box.remove());

const save = (notes: string, ...more: string[]) => box.run(["now", "--notes", notes, ...more]).stdout.trim();
const notesOf = (id: string) => box.json("load", id)["notes"];
const listed = (...words: string[]) =>
  (box.json("list", ...words)["checkpoints"] as { notes: string | null }[]).map(({ notes }) => notes);

describe("a checkpoint by its place", () => {
  it("is the newest, or so many before it, wherever an id is asked for", () => {
    for (const notes of ["one", "two", "three"]) save(notes);
    expect(["@", "latest", "@~", "@~1", "@~2", "latest~2"].map(notesOf)).toEqual([
      "three",
      "three",
      "two",
      "two",
      "one",
      "one",
    ]);
    expect(box.json("diff", "--from", "@~2", "--to", "@~1")).toMatchObject({
      from: { notes: "one" },
      to: { notes: "two" },
    });
    expect(box.json("diff", "@~2", "@")).toMatchObject({ from: { notes: "one" }, to: { notes: "three" } });
    expect(box.json("diff", "@~1")).toMatchObject({ from: { notes: "two" }, to: { notes: "three" } });
    expect(box.run(["diff", "@~1", "--from", "@"]).status).toBe(2);
    expect(box.run(["fork", "@~1", "--as", "other"]).status).toBe(0);
    // Back beyond where it was forked.
    expect(box.json("load", "@~1", "--trail", "other")["notes"]).toBe("two");
    expect(box.see("load", "@~3")).toMatchInlineSnapshot(`
      "! error: There is no "@~3": trail "main" goes back 3 checkpoints.
      ! hint: checkpoint list
      [exit 3]"
    `);
    expect(box.run(["load", "@~x"]).status).toBe(2);
  });
});

describe("checkpoint tag", () => {
  it("names a checkpoint, keeps it from pruning, moves, and is taken away", () => {
    for (const notes of ["one", "two", "three"]) save(notes);
    expect(box.see("tag", "before", "@~2")).toMatch(/^before names ckpt-20260123-/);
    for (const n of ["4", "5"]) save(n);
    expect(box.see("prune", "--keep", "2")).toMatch(/= {2}ckpt-\S+ {2}main {2}tagged before$/m);
    expect(listed()).toEqual(["5", "4", "one"]);
    expect(notesOf("before")).toBe("one");
    expect(box.run(["restore", "before"]).status).toBe(0);
    expect(box.run(["tag", "before"]).stderr).toMatch(/It named ckpt-/);
    expect(box.json("tag")["tags"]).toMatchObject([{ name: "before", checkpoint: { trigger: "restore" } }]);
    expect(box.see("tag", "before", "--delete")).toContain("which stays until it is pruned");
    expect(box.run(["load", "before"]).status).toBe(2);
    expect(box.run(["prune", "--keep", "2"]).status).toBe(0);
    expect(listed()).toEqual([null, "5"]);
    expect(box.run(["verify"]).status).toBe(0);
  });

  it("refuses names that mean something else, and says which tags there are", () => {
    save("one");
    for (const name of ["latest", "ckpt-2026", "beef", "a b", "@x", "../up"])
      expect({ name, status: box.run(["tag", name]).status }).toEqual({ name, status: 2 });
    box.run(["tag", "release"]);
    expect(box.see("tag", "relase", "--delete")).toContain("Did you mean release?");
  });
});

describe("what list and log show", () => {
  it("can be chosen by time, agent, reason and text", () => {
    save("by the planner", "--agent", "planner");
    box.run(["task", "add", "Write the test"]);
    box.run(["decide", "Use SQLite", "--why", "Nothing to install"]);
    save("last");
    expect(listed("--by", "planner")).toEqual(["by the planner"]);
    expect(box.json("list", "--trigger", "task")["checkpoints"]).toHaveLength(1);
    expect(box.json("log", "--grep", "sqlite")["checkpoints"]).toHaveLength(1);
    expect(listed("--grep", "LAST")).toEqual(["last"]);
    for (const word of ["phase", "variables", "kind", "rationale"])
      expect(listed("--grep", word)).toEqual([]);
    box.run(["set", "quota", "--parse", '{"cpu": 2}']);
    for (const word of ["quota", "cpu"]) expect(listed("--grep", word)).toHaveLength(1);
    save("last");
    expect(listed("--since", "2026-01-24")).toEqual([]);
    expect(listed("--since", "1h", "--limit", "1")).toEqual(["last"]);
    box.run(["now", "--trail", "other", "--notes", "elsewhere", "--agent", "planner"]);
    expect(listed("--by", "planner", "--all")).toEqual(["elsewhere", "by the planner"]);
    expect(box.see("list", "--by", "nobody")).toBe("! No checkpoint matches.");
    expect(box.run(["log", "--since", "yesterday"]).status).toBe(2);
  });
});

describe("checkpoint trails", () => {
  it("lists them, renames one with its history, and deletes only when told twice", () => {
    save("one");
    box.run(["fork", "--as", "try"]);
    box.run(["set", "a", "1", "--trail", "try"]);
    expect(box.see("trails")).toMatchInlineSnapshot(`
      "  try   2 checkpoints  1 min ago
      * main  1 checkpoint   3 min ago  one"
    `);
    expect(box.see("trails", "rename", "try", "redis")).toBe("try is now redis, with all its checkpoints.");
    expect(box.json("list", "--trail", "redis")["checkpoints"]).toHaveLength(3);
    expect(box.json("load", "--trail", "redis")["variables"]).toEqual({ a: "1" });
    expect(box.run(["list", "--trail", "try"]).status).toBe(3);
    expect(box.run(["trails", "rename", "main", "redis"]).status).toBe(6);
    expect(box.run(["trails", "rename", "redis", "session/x"]).status).toBe(2);
    expect(box.run(["trails", "delete", "redis"]).status).toBe(4);
    expect(box.see("trails", "delete", "redis", "--yes")).toBe("Deleted redis: 3 checkpoints.");
    expect((box.json("trails")["trails"] as { name: string }[]).map(({ name }) => name)).toEqual(["main"]);
    expect(box.run(["trails", "delete", "redis", "--yes"]).status).toBe(3);
    expect(box.run(["verify"]).status).toBe(0);
    expect(box.run(["trails", "delete", "main", "--yes"]).status).toBe(0);
    // The default trail is not lost for good.
    expect(box.run(["now"]).status).toBe(0);
    expect(box.json("list")["checkpoints"]).toHaveLength(1);
    expect(box.run(["fork", "--as", "redis"]).status).toBe(0);
    expect(box.json("list", "--trail", "redis")["checkpoints"]).toHaveLength(1);
  });

  it("a tag is found in whatever trail it is, and when no trail is left", () => {
    save("one");
    box.run(["tag", "good"]);
    box.run(["fork", "--as", "try"]);
    box.run(["trails", "delete", "main", "--yes"]);
    expect(box.run(["load", "good"]).stderr).toBe("");
    expect(box.run(["load"]).stderr).toContain("showing try");
    box.run(["trails", "delete", "try", "--yes"]);
    expect(notesOf("good")).toBe("one");
    expect(box.run(["fork", "good", "--as", "main"]).status).toBe(0);
    expect(box.json("load")).toMatchObject({ trail: "main", trigger: "fork" });
  });
});

describe("checkpoint set", () => {
  it("takes JSON, a file, or stdin", () => {
    box.write("notes.md", "two\nlines\n");
    expect(box.see("set", "limits", "--parse", '{"cpu": 2}')).toContain('limits = {"cpu":2}');
    box.run(["set", "notes", "--file", "notes.md"]);
    box.run(["set", "piped", "-"], { input: "from a pipe\n" });
    box.run(["set", "list", "-", "--parse"], { input: "[1, null]" });
    expect(box.json("load")["variables"]).toEqual({
      limits: { cpu: 2 },
      notes: "two\nlines\n",
      piped: "from a pipe",
      list: [1, null],
    });
    expect(box.see("set", "x", "--parse", "{bad")).toContain("Without --parse it is kept as text.");
    writeFileSync(join(box.folder, "binary"), Buffer.from([0xff, 0xfe, 0x00]));
    expect(box.see("set", "x", "--file", "binary")).toContain("it is not text in UTF-8");
    expect(box.run(["set", "x"]).status).toBe(2);
    expect(box.run(["set", "x", "y", "--file", "notes.md"]).status).toBe(2);
  });
});

describe("what cannot be done", () => {
  it("a trail that is not there is called that", () => {
    save("one");
    expect(box.see("trails", "delete", "nope", "--yes")).toMatchInlineSnapshot(`
      "! error: There is no trail "nope".
      ! hint: checkpoint trails
      [exit 3]"
    `);
    expect(box.see("trails", "rename", "nope", "other")).toContain('There is no trail "nope".');
  });

  it("a rule or decision that says so already is not saved again", () => {
    box.run(["constraint", "Keep it simple"]);
    box.run(["decide", "Use SQLite", "--why", "Nothing to install"]);
    const before = listed().length;
    expect(box.see("constraint", "edit", "1", "Keep it simple")).toContain("nothing was changed");
    expect(box.json("decision", "edit", "1", "--why", "Nothing to install")["checkpoint"]).toBeNull();
    expect(listed()).toHaveLength(before);
  });

  it("artifacts add without a file is refused", () => {
    box.write("w.yaml", "name: w\nsteps: [{ id: plan, run: 'true' }]\n");
    box.run(["run", "w.yaml", "--run-id", "login-1"]);
    expect(box.see("artifacts", "add", "login-1")).toMatchInlineSnapshot(`
      "! error: No file is named, so there is nothing to register.
      ! hint: checkpoint artifacts add login-1 FILE
      [exit 2]"
    `);
  });
});

describe("completion", () => {
  beforeEach(() => {
    box.write("w.yaml", "name: w\nsteps: [{ id: plan, run: 'true' }, { id: ship, approve: 'Ship?' }]\n");
    box.run(["run", "w.yaml", "--run-id", "login-1"]);
    save("one");
    box.run(["tag", "v1"]);
    const bin = join(box.home, "bin");
    writeFileSync(join(box.home, "checkpoint"), `#!/bin/sh\nexec ${box.commandLine()} "$@"\n`, {
      mode: 0o755,
    });
    symlinkSync(box.home, bin);
  });

  const inShell = (shell: string, script: string, words: readonly string[] = []) => {
    const env = { ...box.environment(), PATH: `${join(box.home, "bin")}:${process.env["PATH"]}` };
    const { stdout } = spawnSync(shell, ["-c", script, shell, ...words], {
      cwd: box.folder,
      env,
      encoding: "utf8",
    });
    return stdout.trim().split("\n");
  };
  const isHere = (shell: string) => spawnSync(shell, ["-c", ":"]).error === undefined;

  it("offers checkpoints wherever one is named, and nowhere else", () => {
    const offered = (...words: string[]) => box.run(["completion", "words", "--", ...words, ""]).stdout;
    for (const words of [["load"], ["diff"], ["diff", "@"], ["diff", "--from"], ["resume", "--from"]])
      expect(offered(...words)).toContain("v1");
    for (const words of [
      ["now", "--agent"],
      ["task", "done"],
    ])
      expect(offered(...words)).not.toContain("v1");
  });

  it("offers commands, options, runs, steps, trails, levels, and second words in bash", () => {
    const complete = (...words: string[]) =>
      inShell(
        "bash",
        `eval "$(checkpoint completion bash)"; COMP_WORDS=(checkpoint "$@"); COMP_CWORD=$#; _checkpoint; printf '%s\\n' "\${COMPREPLY[@]}"`,
        words,
      );
    expect(complete("sta")).toEqual(["status", "statusline"]);
    expect(complete("task", "")).toEqual(["add", "start", "done", "block", "rename", "cancel", "list"]);
    expect(complete("task", "add", "--b")).toEqual(["--blocks", "--blocked-by"]);
    expect(complete("completion", "f")).toEqual(["fish"]);
    expect(complete("resume", "lo")).toEqual(["login-1"]);
    expect(complete("runs", "logs", "login-1", "p")).toEqual(["plan"]);
    expect(complete("runs", "logs", "--attempt", "1", "login-1", "p")).toEqual(["plan"]);
    expect(complete("runs", "sh")).toEqual(["show"]);
    expect(complete("list", "--trail", "m")).toEqual(["main"]);
    expect(complete("summary", "--level", "")).toEqual(["minimal", "compact", "standard", "full"]);
    expect(complete("load", "v")).toEqual(["v1"]);
    expect(complete("--v")).toEqual(["--version"]);
  });

  it.skipIf(!isHere("fish"))("says what each word is for in fish, and falls back to files", () => {
    const complete = (line: string) =>
      inShell("fish", `checkpoint completion fish | source; complete -C '${line}'`);
    expect(complete("checkpoint runs l")).toEqual(["logs\tPrint what the steps of a run printed"]);
    expect(complete("checkpoint runs logs login-1 p")).toEqual(["plan"]);
    expect(complete("checkpoint run w")).toEqual(["w.yaml"]);
  });
});
