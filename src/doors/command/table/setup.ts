import { flag, number, rest } from "../../../work/verbs/command-words.ts";
import * as json from "../../../work/verbs/json-schema.ts";
import type { VerbEntry } from "../../../work/verbs/spec.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;
export const TOPICS = ["exit-codes", "environment", "format", "governance"] as const;

/** Commands that set Cairn up, and those that tell how it works. */
export const SETUP = {
  mcp: {
    about: "Serve checkpoints to an agent, as an MCP server on stdin and stdout",
    examples: [
      ["claude mcp add cairn -- checkpoint mcp", "in Claude Code"],
      ["codex mcp add cairn -- checkpoint mcp", "in Codex"],
      ["checkpoint mcp -C ~/app", "for a client that starts it elsewhere"],
    ],
    details:
      "For agent clients, which start it themselves and end it by closing stdin. Tools, resources and prompts are described in docs/reference/mcp.md. Messages go to stderr.",
    result: () => null,
  },
  ui: {
    about: "Open the project in a browser: timelines, runs, sessions",
    examples: [
      ["checkpoint ui", "print the address of the page, on this machine only"],
      ["checkpoint ui --open", "open it in your browser"],
      ["checkpoint ui --read-only", "look, and change nothing"],
    ],
    options: {
      port: number(1, "This port, instead of any that is free"),
      open: flag("Open it in your browser"),
      readOnly: flag("Show no buttons, and refuse every change"),
    },
    details:
      "Serves on 127.0.0.1 only, with a key in the address that no other program knows. Ctrl-C ends it. The key is new with each start: open tabs stop, and the address that is printed then opens them again.",
    result: () => json.fields({ url: json.text, port: json.count, read_only: json.flag }),
  },
  doctor: {
    about: "Check that everything works, and how to fix what does not",
    examples: [
      ["checkpoint doctor", "Node, store, durability, disk, clock, agent clients, config, services"],
      ["checkpoint doctor --wait", "wait until each agent client that is set up has sent an event"],
      ["checkpoint doctor --accept-loss", "continue with a store that has lost commits"],
    ],
    options: {
      wait: flag(
        "Wait, for ten minutes at most, until each client that is set up has sent an event from here",
      ),
      acceptLoss: flag("Go on with a store that has lost commits; what is left of its log stays"),
    },
    result: () =>
      json.fields({
        ok: json.flag,
        problems: json.count,
        warnings: json.count,
        findings: json.list(
          json.fields({
            name: json.text,
            level: json.enumOf("ok", "note", "warning", "problem"),
            message: json.text,
            remedy: json.nullableText,
          }),
        ),
      }),
  },
  config: {
    about: "Show the settings in force and where each comes from",
    examples: [
      ["checkpoint config", "flags, environment, cairn.yaml, your own config, defaults"],
      ["checkpoint config --accept-patterns", "apply the redaction patterns of this project's cairn.yaml"],
      ["checkpoint config --accept-collectors", "run the collectors of this project's cairn.yaml"],
      ["checkpoint config --accept-store", "use the shared store that this project's cairn.yaml names"],
    ],
    options: {
      acceptPatterns: flag("Apply this project's own redaction patterns from now on, as they are"),
      acceptCollectors: flag("Run this project's own collectors from now on, as they and their files are"),
      acceptStore: flag("Use the shared store that this project's cairn.yaml names from now on"),
    },
    result: () =>
      json.fields({
        root: json.text,
        store: json.text,
        trail: json.fields({ name: json.text, by: json.text }),
        agent: json.nullableText,
        files: json.fields({ project: json.text, user: json.nullableText }),
        settings: json.map(json.anything),
        sources: json.map(json.text),
      }),
  },
  completion: {
    about: "Print completions for your shell",
    examples: [
      ['eval "$(checkpoint completion bash)"', "in ~/.bashrc"],
      ['eval "$(checkpoint completion zsh)"', "in ~/.zshrc"],
      ["checkpoint completion fish > ~/.config/fish/completions/checkpoint.fish", "once"],
    ],
    arguments: { shell: { kind: "choice", value: "SHELL", choices: SHELLS, about: "Your shell" } },
    result: () => json.fields({ shell: json.text, script: json.text }),
  },
  "completion words": {
    about: "Print what may be typed next: commands, options, runs, trails, steps of a run …",
    examples: [['checkpoint completion words -- runs logs login-1 ""', "the steps of that run"]],
    arguments: { typed: rest("WORD", "What is typed so far, after checkpoint; the last word may be empty") },
    details:
      "For the scripts that checkpoint completion prints: one word a line, with what it is for after a tab, and nothing where there is none.",
    result: () => json.fields({ words: json.texts }),
  },
  help: {
    about: "Show the first commands, or help for a command or a topic",
    examples: [
      ["checkpoint help --all", "all commands"],
      ["checkpoint help now", "a command"],
      ["checkpoint help exit-codes", "what each exit status means"],
      ["checkpoint help environment", "variables and config files"],
      ["checkpoint help format", "what --json prints"],
    ],
    arguments: { topic: rest("TOPIC", `A command, or ${TOPICS.join(", ")}`) },
    options: { all: flag("List all commands") },
    result: () => json.fields({ topic: json.nullableText, text: json.text }),
  },
} as const satisfies Record<string, VerbEntry>;
