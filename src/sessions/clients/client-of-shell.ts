import type { Environment } from "../../capture/environment.ts";
import { readSystemFile } from "../../capture/files/system-file.ts";
import { CLIENT_INFO, type ClientInfo } from "../client-info.ts";

/** The agent client whose shell runs this command, by the variables that it sets for what it runs. */
export function clientOfEnvironment(env: Environment): ClientInfo | undefined {
  return Object.values(CLIENT_INFO).find(({ sessionVariables, shellVariables }) =>
    [...sessionVariables, ...shellVariables].some((name) => env[name]),
  );
}

/** More than there are between a client and its command; a loop in what the system says ends here too. */
const MOST_ANCESTORS = 64;

/**
 * The agent client among the processes above this one. A variable is easily unset; a parent is not. One that was left
 * behind on purpose is not found, and where the system shows no processes, none is.
 */
export function clientAbove(parentPid: number): ClientInfo | undefined {
  let pid = parentPid;
  for (let step = 0; step < MOST_ANCESTORS && pid > 1; step++) {
    const stat = readSystemFile(`/proc/${pid}/stat`);
    if (stat === undefined) return undefined;
    const end = stat.lastIndexOf(") ");
    const found = clientCalled([stat.slice(stat.indexOf("(") + 1, end), ...programsOf(pid)]);
    if (found !== undefined) return found;
    pid = Number(stat.slice(end + 2).split(" ")[1]);
  }
  return undefined;
}

/** A program, and the script that an interpreter runs: the first words of its command line. */
function programsOf(pid: number): string[] {
  const words = readSystemFile(`/proc/${pid}/cmdline`)?.split("\0") ?? [];
  return words.slice(0, 2).map((word) => (word.split("/").at(-1) ?? "").replace(/\.[cm]?js$/, ""));
}

const clientCalled = (names: readonly string[]) =>
  Object.values(CLIENT_INFO).find(({ programs }) => programs.some((program) => names.includes(program)));
