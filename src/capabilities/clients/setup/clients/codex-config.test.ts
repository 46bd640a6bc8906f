import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readToml } from "../toml-document.ts";
import { editCodexConfig, isSafe } from "./codex-config.ts";

const PATH = "/home/me/.codex/config.toml";
const edit = (text: string, direction: "add" | "remove") => editCodexConfig(PATH, text, direction);
const added = async (text: string) => (await edit(text, "add")).text;
const removed = async (text: string) => (await edit(text, "remove")).text;

const OURS = '[mcp_servers.cairn]\ncommand = "checkpoint"\nargs = ["mcp"]\n';
const REMARK = "# A remark.\n";
const OTHER_REMARK = "# Another one.\n";

const MINE = '# mine\nmodel = "gpt-5.5"\n';
const OTHER = '[mcp_servers.other]\ncommand = "echo"\nargs = ["hi"]\n';
/** What Codex writes once hooks and a folder are trusted. */
const TRUST = `[hooks.state]

[hooks.state."/home/me/.codex/hooks.json:stop:0:0"]
trusted_hash = "sha256:dc2b5f5e17973336a7f2f45ba5935dc35b50bdec9cebf2f3039a68a27c5f0945"

[projects."/home/me/project"]
trust_level = "trusted"
`;

describe("editCodexConfig", () => {
  it.each([
    ["no file", "", OURS],
    ["a file of one's own", MINE, `${MINE}\n${OURS}`],
    ["what Codex wrote", `${MINE}\n${OTHER}\n${TRUST}`, `${MINE}\n${OTHER}\n${TRUST}\n${OURS}`],
    ["a last line that does not end", 'model = "x"', `model = "x"\n\n${OURS.trimEnd()}`],
    ["empty lines at the end", "a = 1\n\n\n", `a = 1\n\n${OURS}\n\n`],
    // `codex mcp add` drops a comment before our table, and keeps one behind it.
    ["a comment at the end", "a = 1\n# end", `a = 1\n\n${OURS}# end`],
    ["nothing but comments", "# a\n# b\n", `# a\n# b\n\n${OURS}`],
    ["line ends of Windows", "a = 1\r\n", `a = 1\r\n\r\n${OURS.replaceAll("\n", "\r\n")}`],
    ["a byte order mark", "\u{FEFF}a = 1\n", `\u{FEFF}a = 1\n\n${OURS}`],
  ])("adds our table to %s, once, and takes it out byte for byte", async (_, before, after) => {
    expect(await added(before)).toBe(after);
    expect(await added(after)).toBe(after);
    expect(await removed(after)).toBe(before);
    expect(await removed(before)).toBe(before);
  });

  it.each([
    ["behind ours", `${MINE}\n${OURS}\n${TRUST}`, `${MINE}\n${TRUST}`],
    ["around ours, sorted by mcp add", `${MINE}\n${OURS}\n${OTHER}\n${TRUST}`, `${MINE}\n${OTHER}\n${TRUST}`],
    ["behind ours, in a file that we made", `${OURS}\n${TRUST}`, TRUST],
    [
      "below ours, with mcp add --env cairn",
      `${MINE}\n${OURS}\n[mcp_servers.cairn.env]\nA = "1"\n\n${OTHER}`,
      `${MINE}\n${OTHER}`,
    ],
    [
      "below ours at the top, for a tool that was always allowed",
      `${OURS}\n[mcp_servers.cairn.tools.decide]\napproval_mode = "approve"\n\n${TRUST}`,
      TRUST,
    ],
  ])("keeps what Codex wrote %s", async (_, text, without) => {
    expect(await added(text)).toBe(text);
    expect(await removed(text)).toBe(without);
  });

  it("takes comments around our table for the person's, and what stands between them too", async () => {
    const old = `${MINE}\n${REMARK}${OURS}\n${TRUST}${OTHER_REMARK}`;
    expect(await added(old)).toBe(old);
    expect(await removed(old)).toBe(`${MINE}\n${REMARK}\n${TRUST}${OTHER_REMARK}`);
  });

  it("keeps every comment of others, and takes only those within our table", async () => {
    const text = `# about ours\n[mcp_servers.cairn] # a\n# b\ncommand = "checkpoint"\nargs = ["mcp"] # c\n# about theirs\n${OTHER}`;
    expect(await removed(text)).toBe(`# about ours\n# about theirs\n${OTHER}`);
  });

  it("is not misled by text that looks like a table", async () => {
    const text = `a = """\n${REMARK}${OURS}${OTHER_REMARK}"""\n`;
    expect(await removed(text)).toBe(text);
    expect(await added(text)).toBe(`${text}\n${OURS}`);
  });

  it.each([
    ["dotted", 'mcp_servers.cairn.command = "checkpoint"\nmcp_servers.cairn.args = ["mcp"]\n'],
    ["inline", 'mcp_servers = { cairn = { command = "checkpoint", args = ["mcp"] } }\n'],
    ["inline below a table", '[mcp_servers]\ncairn = { command = "checkpoint", args = ["mcp"] }\n'],
    ["dotted below a table", '[mcp_servers]\ncairn.command = "checkpoint"\ncairn.args = ["mcp"]\n'],
  ])("shows our server in %s form instead of editing it", async (_, text) => {
    expect(await edit(text, "add")).toMatchObject({ text, notes: [], hasPlugin: false });
    const { text: after, notes } = await edit(text, "remove");
    expect(after).toBe(text);
    const settings = text.trimEnd().replace("[mcp_servers]\n", "").replace("\n", "; ");
    expect(notes).toEqual([`To remove the MCP server, delete this from ${PATH} yourself: ${settings}`]);
  });

  it("says what to add by hand where a table cannot follow", async () => {
    const text = 'mcp_servers = { other = { command = "echo" } }\n';
    expect(await edit(text, "add")).toMatchObject({
      text,
      notes: [
        `To add the MCP server, write this into mcp_servers in ${PATH} yourself: cairn = { command = "checkpoint", args = ["mcp"] }`,
      ],
      hasPlugin: false,
    });
  });

  it("leaves a server of this name alone that runs something else", async () => {
    const text = '[mcp_servers.cairn]\ncommand = "stones"\n';
    expect((await edit(text, "add")).text).toBe(text);
    const { text: after, notes } = await edit(text, "remove");
    expect(after).toBe(text);
    expect(notes).toEqual([`The MCP server "cairn" in ${PATH} runs another command, so it was left alone.`]);
  });

  it("takes out a table to which the person added, and whose command they gave a path", async () => {
    const own = '[mcp_servers."cairn"]\ncommand = "/opt/bin/checkpoint"\nargs = ["mcp"]\nenabled = false\n';
    expect(await added(`${own}\n${OTHER}`)).toBe(`${own}\n${OTHER}`);
    expect(await removed(`${own}\n${OTHER}`)).toBe(OTHER);
  });

  it("adds nothing where the plugin is installed", async () => {
    const text = '[plugins."cairn@cairn"]\nenabled = true\n';
    expect(await edit(text, "add")).toMatchObject({ text, notes: [], hasPlugin: true });
  });

  it.each([
    ['a = 1\nb = "x\n', 2, 7],
    ["a = 1\n[t] x\n", 2, 5],
    ["[t]\n[t]\n", 2, 2],
  ])("refuses %j with its line", async (text, line, column) => {
    await expect(edit(text, "add")).rejects.toMatchObject({ code: "refused", details: { line, column } });
  });

  it("takes back what it added from any file, byte for byte", async () => {
    const part = fc.constantFrom("# remark\n", "\n", "[a]\n", "x = 1\n", OTHER, TRUST, "\r\n", "  # x");
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(part, { maxLength: 8 }), async (parts) => {
        const text = parts.join("");
        const isToml = await edit(text, "remove").then(
          () => true,
          () => false,
        );
        fc.pre(isToml);
        const after = await added(text);
        expect(after).not.toBe(text);
        expect(await added(after)).toBe(after);
        expect(await removed(after)).toBe(text);
      }),
    );
  });
});

describe("isSafe", () => {
  it.each([
    ["nothing", true, `${MINE}${OTHER}`],
    ["our server", true, `${MINE}${OTHER}${OURS}`],
    ["a table below our server", true, `${MINE}${OTHER}${OURS}[mcp_servers.cairn.env]\nA = "1"\n`],
    ["a setting", false, `${MINE.replace("5.5", "5")}${OTHER}`],
    ["a setting that is gone", false, OTHER],
    ["another server", false, `${MINE}${OTHER.replace("echo", "cat")}`],
    ["another server that is gone", false, MINE],
    ["a table that is new", false, `${MINE}${OTHER}${TRUST}`],
    ["text that is not TOML", false, `${MINE}${OTHER}[`],
  ])("an edit that changes %s: %s", async (_, expected, after) => {
    expect(await isSafe(await readToml(PATH, `${MINE}${OTHER}`), after)).toBe(expected);
  });
});
