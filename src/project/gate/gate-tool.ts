import { identifyCommand } from "../../governance/exec/identify-command.ts";
import type { GateQuestion } from "../../governance/gate/decide.ts";
import { refusalOf } from "../../governance/gate/refusal.ts";
import { isCheckpointError } from "../../errors.ts";
import { digestOf } from "../../governance/keys/signature.ts";
import { isRecord, textOf } from "../../text/untrusted.ts";
import { hasStore } from "../find-project.ts";
import { settingsOf } from "../settings/settings.ts";
import type { Project } from "../project.ts";
import { isGoverned } from "../what-is-on.ts";
import { openGovernance } from "./open-governance.ts";
import { preflight } from "./preflight.ts";

/** The event that a client sends before it calls a tool, where it is set up to. */
const BEFORE_TOOL = "PreToolUse";

/**
 * Asks the gate about a tool call. Returns what the client is to print: that it is denied, or that the user must be asked. It
 * never allows by itself, so that the client's own rules stay; undefined where the project is not governed.
 */
export async function gateTool(open: () => Promise<Project>, event: object): Promise<string | undefined> {
  try {
    const project = await open();
    const isOn = hasStore(project)
      ? await isGoverned(project, await project.stores.open(project, "write", null))
      : (await settingsOf(project)).governance === true;
    if (!isOn) return undefined;
    const governance = await openGovernance(project, "create");
    await governance.act(await preflight(project, governance, questionOf(event)));
    return "";
  } catch (error) {
    const decision = refusalOf(error)?.decision ?? (isCheckpointError(error, "refused") ? "deny" : "ask");
    return answer(decision, error instanceof Error ? error.message : String(error));
  }
}

function answer(permissionDecision: string, permissionDecisionReason: string): string {
  const hookSpecificOutput = { hookEventName: BEFORE_TOOL, permissionDecision, permissionDecisionReason };
  return JSON.stringify({ hookSpecificOutput });
}

const EDITING = /^(?:Edit|MultiEdit|Write|NotebookEdit|apply_patch)$/;
const READING = /^(?:Read|Grep|Glob|LS|TodoWrite|WebFetch|WebSearch)$/;
/** Whatever a shell reads as more than words; a variable before the program, too. */
const SHELL_SYNTAX = /[;&|<>`$(){}[\n\\'"*?~#!]|^\s*\w+\+?=/;

function questionOf(event: object): GateQuestion {
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
