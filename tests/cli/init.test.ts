import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Sandbox } from "./support/sandbox.ts";

let box: Sandbox;
/** Where the sandbox's person has their settings, and a $PATH on which there is nothing but our command. */
let env: Record<string, string>;

beforeEach(() => {
  box = new Sandbox();
  env = {
    PATH: join(box.home, "bin"),
    CLAUDE_CONFIG_DIR: join(box.home, "claude-settings"),
    CODEX_HOME: join(box.home, "codex-settings"),
  };
  put("bin/checkpoint", "#!/bin/sh\n", 0o755);
});
afterEach(() => box.remove());

const put = (name: string, text: string, mode = 0o644) => box.writeHome(name, text, mode);

const text = (name: string) => readFileSync(join(box.home, name), "utf8");
const json = (name: string) => JSON.parse(text(name)) as Record<string, unknown>;
const run = (...args: string[]) => box.run(args, { env });
const packageRoot = join(import.meta.dirname, "../..");
const see = (...args: string[]) =>
  box.asSeen(box.run(args, { env })).replaceAll(JSON.stringify(packageRoot).slice(1, -1), "PACKAGE");

const everything = () => box.everything();

const CLAUDE = `{
  "model": "opus",
  "enabledPlugins": { "other@market": true },
  "permissions": { "allow": ["Bash(npm test)"] }
}
`;
const CODEX_CONFIG = `# mine
model = "gpt"

[projects."/home/me"]
trust_level = "trusted"
`;
const CODEX_HOOKS = '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"say done"}]}]}}';
const GEMINI = `{
    // Keep it dark.
    "theme": "dark", // very
    "hooks": { "AfterTool": [{ "hooks": [{ "type": "command", "command": "log" }] }] }
}
`;

function haveClients(): void {
  put("claude-settings/settings.json", CLAUDE, 0o600);
  put("codex-settings/config.toml", CODEX_CONFIG);
  put("codex-settings/hooks.json", CODEX_HOOKS);
  put(".gemini/settings.json", GEMINI);
  mkdirSync(join(box.home, ".config/opencode"), { recursive: true });
}

describe("checkpoint init", () => {
  it("shows what it would write, and writes nothing of the person's unless told to", () => {
    put("claude-settings/settings.json", CLAUDE);
    const before = everything();
    expect(see("init")).toMatchInlineSnapshot(`
      "PROJECT/.cairn: created; it keeps itself out of git
      Claude Code  HOME/claude-settings/settings.json: enable the plugin cairn@cairn; a backup of the old one is kept next to it
          -   "enabledPlugins": { "other@market": true },
          -   "permissions": { "allow": ["Bash(npm test)"] }
          +   "enabledPlugins": { "other@market": true, "cairn@cairn": true },
          +   "permissions": { "allow": ["Bash(npm test)"] },
          +   "extraKnownMarketplaces": {
          +     "cairn": {
          +       "source": {
          +         "source": "directory",
          +         "path": "PACKAGE"
          +       }
          +     }
          +   }
      ! The clients' settings were not changed. To do it: checkpoint init --yes
      ! Next: checkpoint goal "…", or checkpoint now"
    `);
    expect(everything()).toEqual(before);
    expect(run("init", "--dry-run").stdout).toContain("cairn@cairn");
    expect(everything()).toEqual(before);
  });

  it("writes no store either in a dry run, and shows every line", () => {
    haveClients();
    const before = everything();
    const { stdout, status } = run("init", "--dry-run", "--config");
    expect(status).toBe(0);
    expect(stdout).toContain("would be created");
    expect(stdout).not.toContain("more lines");
    expect(everything()).toEqual(before);
    expect(existsSync(join(box.folder, ".cairn"))).toBe(false);
  });

  it("merges itself into what is there, keeps comments, and leaves a backup", () => {
    haveClients();
    expect(see("init", "--yes")).toMatchInlineSnapshot(`
      "PROJECT/.cairn: created; it keeps itself out of git
      Claude Code  HOME/claude-settings/settings.json: done: enable the plugin cairn@cairn
      Codex  HOME/codex-settings/hooks.json: done: add our hooks
      Codex  HOME/codex-settings/config.toml: done: add the MCP server
      Gemini CLI  HOME/.gemini/settings.json: done: add our hooks and the MCP server
      OpenCode  HOME/.config/opencode/plugins/cairn.js: done: add our plugin
      ! Codex does not run our hooks yet: type /hooks in Codex, and trust what runs checkpoint.
      ! From now on sessions save themselves, and brief the next one.
      ! To see it: checkpoint, checkpoint sessions, or checkpoint ui.
      ! To take this back: checkpoint init --remove"
    `);
    expect(json("claude-settings/settings.json")).toEqual({
      model: "opus",
      enabledPlugins: { "other@market": true, "cairn@cairn": true },
      permissions: { allow: ["Bash(npm test)"] },
      extraKnownMarketplaces: { cairn: { source: { source: "directory", path: packageRoot } } },
    });
    expect(text("claude-settings/settings.json")).toContain('"permissions": { "allow": ["Bash(npm test)"] }');
    expect(statSync(join(box.home, "claude-settings/settings.json")).mode & 0o777).toBe(0o600);
    expect(text("codex-settings/config.toml")).toBe(`${CODEX_CONFIG}
[mcp_servers.cairn]
command = "checkpoint"
args = ["mcp"]
`);
    const { hooks } = json("codex-settings/hooks.json") as { hooks: Record<string, unknown[]> };
    expect(hooks["Stop"]).toHaveLength(2);
    expect(hooks["Stop"]?.[0]).toEqual({ hooks: [{ type: "command", command: "say done" }] });
    const plugin = JSON.parse(readFileSync(join(packageRoot, "plugin/hooks/codex.json"), "utf8")) as {
      hooks: Record<string, unknown[]>;
    };
    expect(Object.keys(hooks).toSorted()).toEqual(Object.keys(plugin.hooks).toSorted());
    expect(hooks["PostToolUse"]).toEqual(plugin.hooks["PostToolUse"]);
    const gemini = text(".gemini/settings.json");
    expect(gemini).toContain("// Keep it dark.");
    expect(gemini).toContain('"theme": "dark", // very');
    expect(gemini).toContain("checkpoint hook --client gemini");
    expect(text(".config/opencode/plugins/cairn.js")).toContain("CairnPlugin");
    expect(text("claude-settings/settings.json.before-cairn")).toBe(CLAUDE);
    expect(text("codex-settings/hooks.json.before-cairn")).toBe(CODEX_HOOKS);
    expect(text("codex-settings/config.toml.before-cairn")).toBe(CODEX_CONFIG);
    expect(text(".gemini/settings.json.before-cairn")).toBe(GEMINI);
  });

  it("changes nothing the second time", () => {
    haveClients();
    run("init", "--yes");
    const once = everything();
    const { clients } = JSON.parse(run("init", "--yes", "--json").stdout) as {
      clients: { changes: { action: string; done: boolean }[] }[];
    };
    expect(clients.flatMap(({ changes }) => changes)).toHaveLength(5);
    for (const { action, done } of clients.flatMap(({ changes }) => changes))
      expect({ action, done }).toEqual({ action: "none", done: false });
    expect(everything()).toEqual(once);
  });

  it("takes back exactly what it wrote, byte for byte, and files that were not there before", () => {
    haveClients();
    put("project/AGENTS.md", "# Rules\n\nBe kind.");
    const before = everything();
    run("init", "--yes");
    run("init", "--yes", "--client", "agents-md");
    expect(Object.keys(everything()).length).toBeGreaterThan(Object.keys(before).length + 4);
    expect(run("init", "--remove").status).toBe(0);
    expect(text("project/AGENTS.md")).toContain("checkpoint summary");
    expect(see("init", "--remove", "--yes")).toMatchInlineSnapshot(`
      "Claude Code  HOME/claude-settings/settings.json: done: remove the plugin cairn@cairn
      Codex  HOME/codex-settings/hooks.json: done: remove our hooks
      Codex  HOME/codex-settings/config.toml: done: remove the MCP server
      Gemini CLI  HOME/.gemini/settings.json: done: remove our hooks and the MCP server
      OpenCode  HOME/.config/opencode/plugins/cairn.js: done: remove our plugin
      AGENTS.md  PROJECT/AGENTS.md: done: remove our lines
      ! What was saved stays: the store is in .cairn."
    `);
    expect(everything()).toEqual(before);
    expect(existsSync(join(box.folder, ".cairn"))).toBe(true);
    expect(see("init", "--remove", "--yes")).toBe("! There is nothing of ours to remove.");
  });

  it("creates settings where a client has none yet, and removes them again", () => {
    put("bin/codex", "", 0o755);
    mkdirSync(join(box.home, "claude-settings"));
    const before = everything();
    run("init", "--yes");
    expect(json("claude-settings/settings.json")).toHaveProperty("enabledPlugins");
    expect(Object.keys(json("codex-settings/hooks.json"))).toEqual(["hooks"]);
    expect(run("init", "--remove", "--yes").status).toBe(0);
    expect(everything()).toEqual(before);
  });

  it("keeps what the person changed since, and takes only its own part out", () => {
    haveClients();
    run("init", "--yes");
    put("claude-settings/settings.json", text("claude-settings/settings.json").replace("opus", "sonnet"));
    put("codex-settings/config.toml", `${text("codex-settings/config.toml")}\n[tui]\nx = 1\n`);
    run("init", "--remove", "--yes");
    expect(json("claude-settings/settings.json")).toEqual({
      model: "sonnet",
      enabledPlugins: { "other@market": true },
      permissions: { allow: ["Bash(npm test)"] },
    });
    expect(text("codex-settings/config.toml")).toBe(`${CODEX_CONFIG}\n[tui]\nx = 1\n`);
    expect(text("claude-settings/settings.json.before-cairn")).toBe(CLAUDE);
  });

  it("keeps what Codex wrote around our table, comments too, and calls it set up afterwards", () => {
    haveClients();
    run("init", "--yes", "--client", "codex");
    const trusted = '[hooks.state."hooks.json:stop:1:0"]\ntrusted_hash = "sha256:ab"\n';
    const server = '[mcp_servers.cairn]\ncommand = "checkpoint"\nargs = ["mcp"]\n';
    const written = `${CODEX_CONFIG}\n# A remark.\n${server}\n${trusted}# Another one.\n`;
    put("codex-settings/config.toml", written);
    run("init", "--yes", "--client", "codex");
    expect(text("codex-settings/config.toml")).toBe(written);
    expect(run("doctor").stdout).not.toContain("Codex is installed, but not set up");
    run("init", "--yes", "--remove", "--client", "codex");
    expect(text("codex-settings/config.toml")).toBe(
      `${CODEX_CONFIG}\n# A remark.\n\n${trusted}# Another one.\n`,
    );
  });

  it("says what to take out by hand, and leaves the file", () => {
    const inline = 'mcp_servers.cairn = { command = "checkpoint", args = ["mcp"] }\n';
    put("codex-settings/config.toml", inline);
    const { stderr, status } = run("init", "--remove", "--yes", "--client", "codex");
    expect(status).toBe(0);
    expect(stderr).toContain(`yourself: ${inline}`);
    expect(text("codex-settings/config.toml")).toBe(inline);
  });

  it("renews hooks of an earlier version instead of adding them twice", () => {
    const old = { hooks: [{ type: "command", command: "checkpoint hook" }] };
    const shared = { hooks: [...old.hooks, { type: "command", command: "mine" }] };
    put("codex-settings/hooks.json", JSON.stringify({ hooks: { Stop: [old], PreCompact: [shared] } }));
    run("init", "--yes", "--client", "codex");
    const { hooks } = json("codex-settings/hooks.json") as { hooks: Record<string, unknown[]> };
    expect(hooks["Stop"]).toHaveLength(1);
    expect(JSON.stringify(hooks["Stop"])).toContain("command -v checkpoint");
    // One that is shared with other hooks is the person's own.
    expect(hooks["PreCompact"]).toEqual([shared]);
  });

  it("takes only its own part out of a group that the person shares with it, and nothing that only names it", () => {
    const mine = { type: "command", command: "mine" };
    const wrapper = { type: "command", command: "my-log && checkpoint hook | tee x" };
    put("codex-settings/hooks.json", JSON.stringify({ hooks: { Stop: [{ hooks: [wrapper] }] } }));
    run("init", "--yes", "--client", "codex");
    const added = json("codex-settings/hooks.json") as { hooks: Record<string, { hooks: object[] }[]> };
    expect(added.hooks["Stop"]).toHaveLength(2);
    added.hooks["PreCompact"]?.[0]?.hooks.push(mine);
    put("codex-settings/hooks.json", JSON.stringify(added, undefined, 2));
    run("init", "--remove", "--yes", "--client", "codex");
    expect(json("codex-settings/hooks.json")).toEqual({
      hooks: { Stop: [{ hooks: [wrapper] }], PreCompact: [{ hooks: [mine] }] },
    });
  });

  it("shows the lines of files from Windows as lines", () => {
    put("codex-settings/hooks.json", '{\r\n  "hooks": {\r\n  }\r\n}\r\n');
    expect(run("init", "--dry-run", "--client", "codex").stdout).not.toMatch(/\r|\n\s*\n/);
  });

  it.each([
    ["claude-settings/settings.json", '{\n  "model": "opus",,\n}\n', "Line 2, column 19"],
    ["claude-settings/settings.json", '{\n  "enabledPlugins": []\n}\n', "Line 2, column 21"],
    ["codex-settings/hooks.json", '{"hooks": {"Stop": {}}}', "Line 1, column 20"],
    ["codex-settings/config.toml", 'a = 1\nb = "x\n', "Line 2, column 7"],
    [".gemini/settings.json", "[]", "Line 1, column 1"],
  ])("refuses a malformed %s with its line, and writes nothing at all", (name, content, place) => {
    haveClients();
    put(name, content);
    const before = everything();
    const { stderr, stdout, status } = run("init", "--yes");
    expect({ status, stdout }).toEqual({ status: 4, stdout: "" });
    expect(stderr).toContain(join(box.home, name));
    expect(stderr).toContain(place);
    expect(everything()).toEqual(before);
    expect(existsSync(join(box.folder, ".cairn"))).toBe(false);
  });

  it.each([
    ["claude-settings/settings.json", [], "leave claude out for now: checkpoint init --client codex"],
    ["codex-settings/hooks.json", [], "leave codex out for now: checkpoint init --client claude"],
    [".gemini/settings.json", [], "leave gemini out for now: checkpoint init --client claude"],
    [".gemini/settings.json", ["--client", "gemini"], "then: checkpoint init --client gemini"],
    [
      "codex-settings/hooks.json",
      ["--remove"],
      "leave codex out for now: checkpoint init --remove --client claude",
    ],
  ])("names a way round a malformed %s that does not lead back to it %j", (name, args, way) => {
    haveClients();
    put(name, "{");
    expect(run("init", "--yes", ...args).stderr).toContain(way);
  });

  it("reads settings with a comma behind the last value, and gives them back as they were", () => {
    haveClients();
    const claude = '{\n  // mine\n  "model": "opus",\n  "enabledPlugins": { "other@market": true, },\n}\n';
    const gemini =
      '{\n  "hooks": {\n    "SessionEnd": [{ "hooks": [{ "type": "command", "command": "true", }], },],\n  },\n}\n';
    put("claude-settings/settings.json", claude);
    put(".gemini/settings.json", gemini);
    expect(run("init", "--yes").status).toBe(0);
    expect(text("claude-settings/settings.json")).toContain('"cairn@cairn": true');
    expect(text(".gemini/settings.json")).toContain("checkpoint hook --client gemini");
    expect(run("init", "--yes").stdout).not.toContain("done:");
    expect(run("init", "--remove", "--yes").status).toBe(0);
    expect(text("claude-settings/settings.json")).toBe(claude);
    expect(text(".gemini/settings.json")).toBe(gemini);
  });

  it("takes everything back when one file cannot be written", () => {
    haveClients();
    // A file where a folder is needed fails for everybody, the superuser included.
    put(".config/opencode/plugins", "in the way");
    const before = everything();
    const { status, stderr } = run("init", "--yes");
    expect({ status, before: everything() }).toEqual({ status: 1, before });
    expect(stderr).toContain("plugins");
  });

  it("leaves plugins alone that were installed in the client itself", () => {
    put("codex-settings/config.toml", '[plugins."cairn@cairn"]\nenabled = true\n');
    put(
      "claude-settings/settings.json",
      JSON.stringify({
        enabledPlugins: { "cairn@cairn": true },
        extraKnownMarketplaces: { cairn: { source: { source: "github", repo: "a/b" } } },
      }),
    );
    const before = everything();
    expect(run("init", "--yes").status).toBe(0);
    expect(everything()).toEqual(before);
    const { stderr } = run("init", "--remove", "--yes");
    expect(stderr).toContain("codex plugin remove cairn@cairn");
    expect(stderr).toContain("/plugin uninstall cairn@cairn");
    expect(everything()).toEqual(before);
  });

  it("does not switch on what the person switched off", () => {
    put("claude-settings/settings.json", '{"enabledPlugins": {"cairn@cairn": false}}');
    const { stderr } = run("init", "--yes");
    expect(stderr).toContain("/plugin enable cairn@cairn");
    expect(text("claude-settings/settings.json")).toBe('{"enabledPlugins": {"cairn@cairn": false}}');
  });

  it("writes through a link to where the person keeps their settings", () => {
    put("dotfiles/settings.json", CLAUDE);
    mkdirSync(join(box.home, "claude-settings"));
    symlinkSync(join(box.home, "dotfiles/settings.json"), join(box.home, "claude-settings/settings.json"));
    run("init", "--yes");
    expect(text("dotfiles/settings.json")).toContain("cairn@cairn");
    run("init", "--remove", "--yes");
    expect(text("dotfiles/settings.json")).toBe(CLAUDE);
  });

  it("makes an AGENTS.md that everybody who works on the project can read", () => {
    run("init", "--yes", "--client", "agents-md");
    expect(statSync(join(box.folder, "AGENTS.md")).mode & 0o777).toBe(0o666 & ~process.umask());
  });

  it("follows a link at AGENTS.md inside the project, and refuses one that leads out of it", () => {
    put("project/CLAUDE.md", "# Rules\n");
    symlinkSync("CLAUDE.md", join(box.folder, "AGENTS.md"));
    run("init", "--client", "agents-md", "--yes");
    expect(text("project/CLAUDE.md")).toContain("checkpoint summary");
    put("elsewhere", "alias a=b\n");
    rmSync(join(box.folder, "AGENTS.md"));
    symlinkSync("../elsewhere", join(box.folder, "AGENTS.md"));
    expect(see("init", "--client", "agents-md", "--yes")).toMatchInlineSnapshot(`
      "! error: "PROJECT/AGENTS.md" is a symbolic link, which could lead out of the project.
      ! hint: Put a real folder or file in its place, or work in another folder.
      [exit 4]"
    `);
    expect(text("elsewhere")).toBe("alias a=b\n");
  });

  it.each([".git/config", ".git/hooks/post-commit", ".cairn/.gitignore"])(
    "refuses a link at AGENTS.md to what git or Cairn obeys: %s",
    (target) => {
      put(`project/${target}`, "[core]\n");
      symlinkSync(target, join(box.folder, "AGENTS.md"));
      expect(see("init", "--client", "agents-md", "--yes")).toContain("[exit 4]");
      expect(text(`project/${target}`)).toBe("[core]\n");
    },
  );

  it("asks through AGENTS.md where there is no client, once, and after what is there", () => {
    put("project/AGENTS.md", "# Rules\n");
    expect(see("init", "--yes")).toMatchInlineSnapshot(`
      "PROJECT/.cairn: created; it keeps itself out of git
      AGENTS.md  PROJECT/AGENTS.md: done: ask agents to save
      ! From now on sessions save themselves, and brief the next one.
      ! To see it: checkpoint, checkpoint sessions, or checkpoint ui.
      ! To take this back: checkpoint init --remove"
    `);
    const once = text("project/AGENTS.md");
    expect(once.startsWith("# Rules\n\n<!-- Added by checkpoint init")).toBe(true);
    run("init", "--yes");
    expect(text("project/AGENTS.md")).toBe(once);
  });

  it("says when clients will not find the command", () => {
    mkdirSync(join(box.home, "claude-settings"));
    const { stderr } = box.run(["init"], { env: { ...env, PATH: join(box.home, "nothing") } });
    expect(stderr).toContain("checkpoint is not on $PATH");
  });

  it("sets up the clients from the home folder, but makes no store that all folders below would share", () => {
    haveClients();
    const { stderr, status } = box.run(["init", "--yes"], { env, cwd: box.home });
    expect(status).toBe(0);
    expect(stderr).toContain("No store is made here, where all folders below would share it");
    expect(existsSync(join(box.home, ".cairn"))).toBe(false);
    expect(text("codex-settings/hooks.json")).toContain("checkpoint hook");
  });

  it("works without a home folder", () => {
    const { status } = box.run(["init", "--yes"], { env: { PATH: env["PATH"] as string, HOME: "" } });
    expect(status).toBe(0);
    expect(readFileSync(join(box.folder, "AGENTS.md"), "utf8")).toContain("checkpoint summary");
  });
});
