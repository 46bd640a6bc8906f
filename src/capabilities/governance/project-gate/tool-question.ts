import { identifyCommand } from "../exec/identify-command.ts";
import type { GateQuestion } from "../gate/decide.ts";
import { digestOf } from "../keys/signature.ts";
import { isRecord, textOf } from "../../../core/text/untrusted.ts";

const EDITING = /^(?:Edit|MultiEdit|Write|NotebookEdit|apply_patch)$/;
const READING = /^(?:Read|Grep|Glob|LS|TodoWrite|WebFetch|WebSearch)$/;
/** Whatever a shell reads as more than words; a variable before the program, too. */
const SHELL_SYNTAX = /[;&|<>`$(){}[\n\\'"*?~#!]|^\s*\w+\+?=/;

/** What a call of a tool is to the gate. */
export function questionOf(event: object): GateQuestion {
  const tool = textOf(event, "tool_name") ?? "unnamed";
  const input = isRecord(event) && isRecord(event["tool_input"]) ? event["tool_input"] : {};
  const command = textOf(input, "command");
  if (command !== undefined && !EDITING.test(tool)) {
    // What a shell line does cannot be told from its words.
    const argv = SHELL_SYNTAX.test(command) ? ["sh", "-c", command] : command.trim().split(/\s+/);
    const { action, risk } = identifyCommand(argv);
    // An approval is for these words here, and for no others.
    const digest =
      risk === "high" ? digestOf(JSON.stringify([command, textOf(event, "cwd") ?? null])) : undefined;
    return { action, risk, digest };
  }
  if (READING.test(tool)) return { action: "tool.read" };
  return { action: EDITING.test(tool) ? "tool.edit" : `tool.${tool.replaceAll(/[^\w-]/g, "_")}` };
}
