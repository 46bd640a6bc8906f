import { textOf } from "../../core/text/untrusted.ts";
import type { Environment } from "../machine/environment.ts";
import { commandLineOf, processesFrom } from "../machine/system-processes.ts";
import type { AgentClient, Fields } from "./client.ts";
import { CLIENT_NAMES, type ClientName, CLIENTS } from "./clients.ts";

/** The client that sent an event: by the environment of its hooks, or by what only one of them sends. */
export function clientOfEvent(fields: Fields, env: Environment): ClientName {
  const sessionId = textOf(fields, "session_id") ?? "";
  const isNamed = ({ sessionVariables = [] }: AgentClient) =>
    sessionVariables.some((variable) => env[variable] === sessionId);
  // From the end of the list: those at its beginning send what the others send, too.
  const last = CLIENT_NAMES.toReversed();
  return (
    CLIENT_NAMES.find((name) => isNamed(CLIENTS[name])) ??
    last.find((name) => CLIENTS[name].sends?.(fields)) ??
    CLIENT_NAMES[0]!
  );
}

/** The agent client whose shell runs this command, by the variables that it sets for what it runs. */
export function clientOfEnvironment(env: Environment): AgentClient | undefined {
  return Object.values(CLIENTS).find(({ sessionVariables = [], shellVariables = [] }) =>
    [...sessionVariables, ...shellVariables].some((name) => env[name]),
  );
}

/**
 * The agent client among the processes above this one. A variable is easily unset; a parent is not. One that was left
 * behind on purpose is not found, and where the system shows no processes, none is.
 */
export function clientAbove(parentPid: number): AgentClient | undefined {
  for (const { pid, name } of processesFrom(parentPid, 64)) {
    // A program, and the script that an interpreter runs.
    const words = commandLineOf(pid).slice(0, 2);
    const names = [name, ...words.map((word) => (word.split("/").at(-1) ?? "").replace(/\.[cm]?js$/, ""))];
    const found = Object.values(CLIENTS).find(({ programs }) =>
      programs.some((each) => names.includes(each)),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}
