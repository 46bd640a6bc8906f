import type { CommandSpec } from "../spec.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;
export const TOPICS = ["exit-codes", "environment", "format"] as const;

/** Commands that set Cairn up, and those that tell how it works. */
export const SETUP = {
  init: {
    name: "init",
    about: "Create the store of this project",
    group: "setup",
    examples: [
      ["checkpoint init", "make .cairn, and keep it out of git"],
      ["checkpoint init --config", "also write a cairn.yaml to fill in"],
    ],
    options: { config: { kind: "flag", about: "Also write a commented cairn.yaml" } },
    details: "Not needed: the first checkpoint creates the store as well. May be called again.",
  },
  mcp: {
    name: "mcp",
    about: "Serve checkpoints to an agent, as an MCP server on stdin and stdout",
    group: "setup",
    examples: [
      ["claude mcp add cairn -- checkpoint mcp", "in Claude Code"],
      ["codex mcp add cairn -- checkpoint mcp", "in Codex"],
      ["checkpoint mcp -C ~/app", "for a client that starts it elsewhere"],
    ],
    details:
      "For agent clients, which start it themselves and end it by closing stdin. Tools, resources and prompts are described in docs/mcp.md. Messages go to stderr.",
  },
  doctor: {
    name: "doctor",
    about: "Check that everything works, and say how to mend what does not",
    group: "setup",
    examples: [["checkpoint doctor", "Node, store, durability, disk, clock, config, services"]],
  },
  config: {
    name: "config",
    about: "Show the settings in force and where each comes from",
    group: "setup",
    examples: [["checkpoint config", "flags, environment, cairn.yaml, your own config, defaults"]],
  },
  completion: {
    name: "completion",
    about: "Print completions for your shell",
    group: "setup",
    examples: [
      ['eval "$(checkpoint completion bash)"', "in ~/.bashrc"],
      ['eval "$(checkpoint completion zsh)"', "in ~/.zshrc"],
      ["checkpoint completion fish > ~/.config/fish/completions/checkpoint.fish", "once"],
    ],
    arguments: { shell: { kind: "choice", value: "SHELL", choices: SHELLS, about: "Your shell" } },
  },
  help: {
    name: "help",
    about: "Show help for a command or a topic",
    group: "setup",
    examples: [
      ["checkpoint help now", "a command"],
      ["checkpoint help exit-codes", "what each exit status means"],
      ["checkpoint help environment", "variables and config files"],
      ["checkpoint help format", "what --json prints"],
    ],
    arguments: {
      topic: { kind: "rest", value: "TOPIC", about: "A command, or exit-codes, environment, format" },
    },
  },
} as const satisfies Record<string, CommandSpec>;
