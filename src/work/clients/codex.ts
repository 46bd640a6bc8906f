import { personalFolder } from "../machine/folders.ts";
import { own, textOf } from "../../core/text/untrusted.ts";
import type { AgentClient } from "./client.ts";

/** Codex. It has no event for failed calls, and its events say nothing of how a command ended: its rollout does. */
export const CODEX: AgentClient = {
  id: "codex",
  product: "Codex",
  sessionVariables: ["CODEX_THREAD_ID", "CODEX_SESSION_ID"],
  shellVariables: ["CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED"],
  homeVariables: ["CODEX_HOME"],
  programs: ["codex"],
  resume: (id) => `codex resume ${id}`,
  settings: (env) => personalFolder(env, "CODEX_HOME", ".codex"),
  sends: (sent) =>
    own(sent, "turn_id") !== undefined ||
    own(sent, "transcript_path") === null ||
    /[\\/]rollout-[^\\/]*\.jsonl(\.zst)?$/.test(textOf(sent, "transcript_path") ?? ""),
  namesSessionInCalls: true,
  maxTokens: 2500,
  family: "gpt",
  keepsContext: true,
  forkedFrom: (head) => /"forked_from_id":"([0-9a-fA-F]{8}-[0-9a-fA-F-]{27})"/.exec(head)?.[1],
  forksSilently: true,
  alwaysHasTranscript: true,
  isImportable: true,
  page: {
    gets: "capture by hooks, handoffs, MCP tools, skill",
    setUpBy: "`checkpoint init` or its plugin, then `/hooks` in Codex to trust the hooks",
    tested: "[0.166.0](#seen-with-the-real-clients), and once 0.169.0; `npm run test:e2e`",
    hears: ["yes, in the answer to `UserPromptSubmit`", ""],
    seen: {
      version: "0.166.0",
      rows: {
        killed: "yes",
        continued: "yes, by Gemini CLI",
        running: "named",
        confirmed: "its rollout",
        resumed: "its own record",
        resumedOften: "the same",
        compacted: "by itself: the record follows",
        ruled: "not run",
        ruledBefore: "yes",
        checked: "settled, by the exit codes in its rollout",
        settings: "byte for byte",
      },
    },
  },
};
