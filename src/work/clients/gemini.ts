import { join } from "node:path";
import { homeFolder } from "../machine/folders.ts";
import { asList, own, textOf } from "../../core/text/untrusted.ts";
import type { AgentClient } from "./client.ts";

/** Gemini CLI. It has no events for sub-agents and failures, and announces a compaction before every request to the model. */
export const GEMINI: AgentClient = {
  id: "gemini-cli",
  product: "Gemini CLI",
  sessionVariables: ["GEMINI_SESSION_ID"],
  shellVariables: ["GEMINI_CLI"],
  homeVariables: ["GEMINI_CLI_HOME"],
  programs: ["gemini"],
  folderVariable: "GEMINI_PROJECT_DIR",
  resume: (id) => `gemini --resume ${id}`,
  settings: (env) => {
    const home = homeFolder(env);
    return home && join(home, ".gemini");
  },
  settingsFiles: [
    {
      file: "settings.json",
      hooks: "gemini/settings.json",
      server: {},
      isOff: (settings) => {
        const config = own(settings, "hooksConfig");
        return own(config, "enabled") === false || asList(own(config, "disabled")).includes("cairn");
      },
    },
  ],
  sends: (sent) =>
    /^(?:BeforeAgent|AfterAgent|AfterTool|PreCompress)$/.test(textOf(sent, "hook_event_name") ?? "") ||
    /[\\/]\.gemini[\\/]/.test(textOf(sent, "transcript_path") ?? ""),
  translate: (sent) => {
    const prompt = textOf(sent, "prompt");
    return prompt === undefined ? sent : { ...sent, prompt: withoutHookContext(prompt) };
  },
  // It would show stderr as a message if the answer were empty.
  emptyAnswer: "{}",
  announcesTooMuch: true,
  family: "gemini",
  page: {
    gets: "capture by hooks, handoffs, MCP tools",
    setUpBy: "`checkpoint init`",
    tested: "[0.61.0](#seen-with-the-real-clients); `npm run test:e2e`",
    hears: ["yes, in the answer to `BeforeAgent`", ""],
    seen: {
      version: "0.61.0",
      rows: {
        killed: "yes",
        continued: "yes, by OpenCode",
        running: "not known: it writes a call down once it has ended",
        confirmed: "its chat file",
        resumed: "its own record",
        resumedOften: "one record: it forgets what hooks added, so each resume gets it",
        compacted: "by itself: the record comes with the next prompt",
        ruled: "not run",
        ruledBefore: "yes",
        checked: "not run",
        settings: "byte for byte",
      },
    },
  },
};

const [OPENED, CLOSED] = ["<hook_context>", "</hook_context>"] as const;

/** A prompt as it was typed. What hooks say is added to it, before or behind. No pattern: a prompt may be megabytes of blanks. */
export function withoutHookContext(prompt: string): string {
  const start = prompt.trimStart();
  const before = start.startsWith(OPENED) ? start.indexOf(CLOSED) : -1;
  const text = before < 0 ? prompt : start.slice(before + CLOSED.length).trimStart();
  const behind = text.trimEnd().endsWith(CLOSED) ? text.indexOf(OPENED) : -1;
  return behind < 0 ? text : text.slice(0, behind).trimEnd();
}
