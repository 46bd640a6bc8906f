import { join } from "node:path";
import { personalFolder } from "../machine/folders.ts";
import type { AgentClient } from "./client.ts";

/** OpenCode. A plugin file of ours sends its events, with the usual names. */
export const OPENCODE: AgentClient = {
  id: "opencode",
  product: "OpenCode",
  sessionVariables: ["OPENCODE_SESSION_ID"],
  shellVariables: ["OPENCODE"],
  homeVariables: ["XDG_DATA_HOME"],
  programs: ["opencode"],
  pidVariable: "OPENCODE_PID",
  resume: (id) => `opencode --session ${id}`,
  settings: (env) => {
    const config = personalFolder(env, "XDG_CONFIG_HOME", ".config");
    return config && join(config, "opencode");
  },
  toldBeforeCompaction: () => "record",
  page: {
    gets: "capture by a plugin file, handoffs",
    setUpBy: "`checkpoint init`",
    tested: "[1.18.33](#seen-with-the-real-clients); `npm run test:e2e`",
    hears: ["yes: its plugin adds it to the system prompt", ""],
    seen: {
      version: "1.18.33",
      rows: {
        killed: "yes",
        continued: "yes, by Copilot CLI",
        running: "named",
        confirmed: "its database",
        resumed: "its own record",
        resumedOften: "the same as Gemini CLI",
        compacted: "by itself: the record is in its system prompt",
        ruled: "not run",
        ruledBefore: "yes",
        checked: "not run",
        settings: "byte for byte",
      },
    },
  },
};
