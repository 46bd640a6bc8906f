import { createServer, type Server } from "node:net";
import { once } from "node:events";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Sandbox } from "./support/sandbox.ts";

let box: Sandbox;
let server: Server | undefined;
beforeEach(() => {
  box = new Sandbox();
});
afterEach(() => {
  server?.close();
  server = undefined;
  box.remove();
});

describe("settings", () => {
  it("come from options, environment, project, user, defaults, in this order", () => {
    const keep = (args: string[], env: Record<string, string>) => {
      const { removed, kept } = JSON.parse(
        box.run(["prune", "--dry-run", "--json", ...args], { env }).stdout,
      ) as Record<string, unknown[]>;
      return [removed?.length, kept?.length];
    };
    for (const n of [1, 2, 3, 4, 5]) box.run(["set", "n", String(n)]);
    expect(keep([], {})).toEqual([0, 5]);
    userConfig("keep: 4\n");
    expect(keep([], {})).toEqual([1, 4]);
    box.write("cairn.yaml", "keep: 3\n");
    expect(keep([], {})).toEqual([2, 3]);
    expect(keep([], { CHECKPOINT_KEEP: "2" })).toEqual([3, 2]);
    expect(keep(["--keep", "1"], { CHECKPOINT_KEEP: "2" })).toEqual([4, 1]);
    expect(box.see("config")).toMatchInlineSnapshot(`
      "root                       PROJECT
      trail             default  main
      agent                      none
      dependencies      default  none
      allow_endpoints   default  none
      remotes           default  none
      probe_timeout_ms  default  1000
      keep              project  3
      redact            default  none
      redact_allow      default  none
      collectors        default  none
      project config    read     PROJECT/cairn.yaml
      user config       read     HOME/.config/cairn/config.yaml"
    `);
  });

  it.each([
    ["keep: many\n"],
    ["kep: 3\n"],
    ["keep: 3\ndependencies:\n  - name: vault\n"],
    ["summary:\n  level: huge\n"],
    ["dependencies: nothing\n"],
    ["allow_endpoints:\n  - evil.example.com\n"],
    ["run: rm -rf /\n"],
    ["probe_timeout: 1h\n"],
  ])("are ignored where they are wrong, with file, line and remedy: %j", (text) => {
    box.write("cairn.yaml", text);
    expect(box.see("now")).toMatchSnapshot("ignored");
  });

  it("leave out one wrong entry of a list, and keep the others", () => {
    const good = "dependencies:\n  - { name: a, endpoint: 127.0.0.1:1 }\n";
    box.write("cairn.yaml", `${good}  - { name: b, endpoint: 127.0.0.1:1 }\n`);
    box.run(["now"]);
    box.write(
      "cairn.yaml",
      `${good}  - { name: b, endpiont: 127.0.0.1:1 }\nsummary: { level: huge, family: claude }\n`,
    );
    const { stderr } = box.run(["now"]);
    expect(box.stable(stderr)).toContain(
      'PROJECT/cairn.yaml:3:5: "endpoint" is missing. The entry is ignored. Add it: endpoint: …',
    );
    expect(box.json("load")["dependencies"]).toMatchObject([{ name: "a" }]);
    expect(box.json("config")["settings"]).toMatchObject({ family: "claude" });
    box.write("cairn.yaml", "dependencies:\n  - { name: b }\n");
    box.run(["now"]);
    expect(box.json("load")["dependencies"]).toEqual([]);
  });

  it.each([
    ["keep: 3\n  plan: x\n"],
    ["plan: [\n"],
    ["redact:\n  allow:\n    - secret\n"],
    ["redact:\n  patterns: ACME\n"],
    ["redact:\n  patterns:\n    - { name: acme, pattern: '(' }\n"],
    ["redcat:\n  patterns: []\n"],
  ])("keep anything from being saved if they could let secrets through: %j", (text) => {
    box.write("cairn.yaml", text);
    expect(box.see("now")).toMatchSnapshot("refused");
  });

  it("say what is wrong with a variable", () => {
    expect(box.asSeen(box.run(["now"], { env: { CHECKPOINT_KEEP: "none" } }))).toMatchInlineSnapshot(`
      "! error: $CHECKPOINT_KEEP is "none", where a whole number of at least 1 is needed.
      ! hint: checkpoint help environment
      [exit 2]"
    `);
  });

  it("cannot be blown up by aliases", () => {
    const bomb = `a: &a [${"x,".repeat(50)}x]\nb: &b [${"*a,".repeat(50)}*a]\nc: &c [${"*b,".repeat(50)}*b]\nplan: [${"*c,".repeat(50)}*c]\n`;
    box.write("cairn.yaml", bomb);
    expect(box.run(["now"]).status).toBe(2);
  });
});

describe("what is declared", () => {
  it("gives the phase from the plan", () => {
    box.write(
      "docs/plan.md",
      "# Plan\n## Phase 1: Design (done)\n## Phase 2: Build (in progress)\n## Phase 3: Ship\n",
    );
    box.write("cairn.yaml", "plan: docs/plan.md\n");
    expect(box.see("now")).toMatchInlineSnapshot(`
      "ckpt-20260123-120000-86c6b4ee
      ! Created PROJECT/.cairn, which keeps itself out of git.
      ! Saved on main; Phase 2: Build (in progress)."
    `);
    expect(box.json("load")).toMatchObject({
      phase: {
        name: "Phase 2: Build",
        number: 2,
        status: "in_progress",
        started_at: "2026-01-23T12:00:00.000Z",
      },
      phases_completed: [1],
    });
    box.run(["now"]);
    expect(box.json("load")["phase"]).toMatchObject({ started_at: "2026-01-23T12:00:00.000Z" });
  });

  it("is asked for real: a service that answers, one that does not, and one that only the user may allow", async () => {
    server = createServer((socket) => socket.end("+PONG\r\n")).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    box.write(
      "cairn.yaml",
      `dependencies:
  - { name: cache, type: redis, endpoint: "127.0.0.1:${port}" }
  - { name: gone, type: tcp, endpoint: "127.0.0.1:1" }
  - { name: far, type: https, endpoint: "https://user:hunter2@far.example.com/health" }
`,
    );
    const started = box.start(["now"]);
    const ran = await started.ended;
    expect(ran.stderr).toContain("gone is unavailable");
    const { dependencies } = box.json("load");
    expect(dependencies).toMatchObject([
      { name: "cache", status: "available" },
      { name: "gone", status: "unavailable" },
      { name: "far", status: "unknown", reason: "not allowed by your user config" },
    ]);
    expect(JSON.stringify(dependencies)).not.toContain("hunter2");
    await box.start(["now"]).ended;
    expect(box.see("diff")).toContain("Nothing changed.");
  });

  it("hides secrets of one's own", () => {
    userConfig(ACME);
    box.run(["now", "--notes", "with ACME-12345678 in it"]);
    expect(box.json("load")["notes"]).toBe("with [redacted:acme-key] in it");
  });

  it("hides what a project's own patterns match only once the user has accepted exactly these", () => {
    const saved = (key = "ACME-12345678") => {
      const { stderr } = box.run(["now", "--notes", `with ${key} in it`]);
      return { notes: box.json("load")["notes"], isWarned: stderr.includes("NOT applied") };
    };
    box.write("cairn.yaml", ACME);
    expect(box.see("now")).toMatchInlineSnapshot(`
      "ckpt-20260123-120000-d7447c60
      ! warning: "PROJECT/cairn.yaml": its redaction pattern is NOT applied until you accept it (acme-key). Read it, then: checkpoint config --accept-patterns
      ! Created PROJECT/.cairn, which keeps itself out of git.
      ! Saved on main."
    `);
    expect(saved()).toEqual({ notes: "with ACME-12345678 in it", isWarned: true });
    expect(box.run(["doctor"]).stdout).toContain("checkpoint config --accept-patterns");
    expect(box.run(["config", "--accept-patterns"]).stderr).toContain(
      "Accepted the redaction pattern acme-key: ACME-[A-Z0-9]{8}",
    );
    expect(saved()).toEqual({ notes: "with [redacted:acme-key] in it", isWarned: false });
    // Other settings may change; the patterns may not.
    box.write("cairn.yaml", `keep: 7\n${ACME}`);
    expect(saved()).toEqual({ notes: "with [redacted:acme-key] in it", isWarned: false });
    box.write("cairn.yaml", ACME.replace("ACME-[A-Z0-9]{8}", "'[a-z]{1,5}'"));
    // Another key: the first one is remembered.
    expect(saved("ACME-87654321")).toEqual({ notes: "with ACME-87654321 in it", isWarned: true });
  });

  describe("collectors", () => {
    const node = JSON.stringify(process.execPath);
    const configured = (more = "") =>
      `collectors:\n  - name: mine\n    command: [${node}, collect.js]\n${more.includes("timeout") ? more : `    timeout: 20s\n${more}`}`;
    const prints = (value: unknown) =>
      box.write("collect.js", `console.log(${JSON.stringify(JSON.stringify(value))})`);
    const saved = () => {
      const { stderr } = box.run(["now"]);
      return { stderr, state: box.json("load") };
    };

    it("run only once the user has accepted exactly these, and again after a change of the script", () => {
      prints({ region: "eu" });
      box.write("cairn.yaml", configured());
      const before = saved();
      expect(before.stderr).toContain("its collector does NOT run until you accept it");
      expect(before.state["variables"]).toEqual({});
      expect(box.run(["doctor"]).stdout).toContain("(mine)");
      expect(box.run(["config", "--accept-collectors"]).stderr).toContain("Accepted the collector mine: ");
      expect(saved().state["variables"]).toEqual({ region: "eu" });
      prints({ region: "us" });
      const changed = saved();
      expect(changed.stderr).toContain("does NOT run");
      expect(changed.state["variables"]).toEqual({ region: "eu" });
      box.run(["config", "--accept-collectors"]);
      expect(saved().state["variables"]).toEqual({ region: "us" });
      box.write("cairn.yaml", configured("    timeout: 9s\n"));
      expect(saved().stderr).toContain("does NOT run");
    });

    it("are asked for again after a change of a file behind an option, or in a folder", () => {
      box.write("sub/index.js", "console.log('{}')");
      box.write("before.cjs", "");
      symlinkSync("sub", join(box.folder, "link"));
      box.write(
        "cairn.yaml",
        `collectors:\n  - name: mine\n    command: [${node}, "--require=./before.cjs", link]\n    timeout: 20s\n`,
      );
      for (const changed of ["before.cjs", "sub/index.js"]) {
        box.run(["config", "--accept-collectors"]);
        expect(saved().stderr).not.toContain("does NOT run");
        box.write(changed, "console.log('{}') // changed");
        expect(saved().stderr).toContain("does NOT run");
      }
    });

    it("are no programs of the repository where $PATH has no other folder", () => {
      box.write("collect", "#!/bin/sh\necho '{}'\n");
      chmodSync(join(box.folder, "collect"), 0o755);
      userConfig("collectors:\n  - { name: mine, command: [collect] }\n");
      const { stderr } = box.run(["now"], { env: { PATH: "." } });
      expect(stderr).toContain("Collector mine brought nothing: it could not be started");
    });

    it("of the user's own config need no yes, and what the caller says goes before them", () => {
      prints({ region: "eu", zone: "a" });
      userConfig(configured());
      expect(box.run(["now", "--var", "region", "us"]).stderr).not.toContain("warning");
      expect(box.json("load")["variables"]).toEqual({ region: "us", zone: "a" });
    });

    it("bring outputs, an output with a name once", () => {
      prints([{ type: "deploy", id: "d-1", action: "terraform", success: false }]);
      userConfig(configured("    into: outputs\n"));
      saved();
      expect(saved().state["recent_outputs"]).toMatchObject([
        { type: "deploy", id: "d-1", action: "terraform", success: false },
      ]);
    });

    it("are searched for secrets like everything else", () => {
      prints({ db_password: "hunter2-hunter2", url: "postgres://u:hunter2-hunter2@db/x" });
      userConfig(configured());
      expect(JSON.stringify(saved().state)).not.toContain("hunter2");
    });

    it.each([
      ["does not end", "setInterval(() => {}, 1000)", "it took longer than 300 ms"],
      [
        "prints too much",
        "process.stdout.write('x'.repeat(3e5)); setInterval(() => {}, 1000)",
        "it printed more than 262144 bytes",
      ],
      ["prints no JSON", "console.log('hello')", "it did not print JSON"],
      ["prints no object", "console.log('[1]')", "it did not print an object, whose fields are variables"],
      ["fails", "process.exit(3)", "it ended with status 3"],
      [
        "prints a number that is none",
        "console.log('{\"n\": 1e999}')",
        "The state holds Infinity at variables.n, which JSON cannot express",
      ],
      [
        "prints lists in lists without end",
        "console.log(`{\"n\": ${'['.repeat(1e4)}${']'.repeat(1e4)}}`)",
        "The state nests deeper than 256 levels, below variables.n[0][0][0][0][0][0]",
      ],
    ])("bring nothing and fail nothing when one %s", (_what, code, why) => {
      box.write("collect.js", code);
      const timeout = code.includes("repeat") ? "20s" : "300ms";
      userConfig(configured(`    timeout: ${why.includes("longer") ? timeout : "20s"}\n`));
      const { stderr, status } = box.run(["now"]);
      expect(status).toBe(0);
      expect(stderr).toContain(`Collector mine brought nothing: ${why}.`);
    });
  });

  it("says when a pattern removes much of a text", () => {
    userConfig("redact:\n  patterns:\n    - name: words\n      pattern: '[a-z]{1,5}'\n");
    const warned = (notes: string) =>
      box.run(["now", "--notes", notes]).stderr.includes("More than a quarter of a text was removed");
    expect(warned("plain words ".repeat(100))).toBe(true);
    expect(warned("plain words")).toBe(false);
    expect(warned("PLAIN WORDS ".repeat(100))).toBe(false);
  });

  it("of the user that switch governance on are not switched off by a project", () => {
    userConfig("governance: on\n");
    box.write("cairn.yaml", "governance: off\n");
    box.run(["now"]);
    expect(box.json("ledger")["entries"]).toHaveLength(1);
    expect(box.see("config")).toMatch(/^governance +user +true$/m);
  });
});

const ACME = "redact:\n  patterns:\n    - name: acme-key\n      pattern: ACME-[A-Z0-9]{8}\n";

function userConfig(text: string): void {
  mkdirSync(join(box.home, ".config/cairn"), { recursive: true });
  writeFileSync(join(box.home, ".config/cairn/config.yaml"), text);
}
