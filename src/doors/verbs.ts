import { CAPABILITIES } from "../capabilities/list.ts";
import { FEED } from "../work/project/feed/verbs.ts";
import { HISTORY } from "../work/project/history/verbs.ts";
import { KEEPING } from "../work/project/maintenance/verbs.ts";
import { SESSIONS } from "../work/project/reading/session-verbs.ts";
import { READING } from "../work/project/reading/verbs.ts";
import { SAVING } from "../work/project/saving/verbs.ts";
import { CORRECTIONS } from "../work/project/work/correction-verbs.ts";
import { TASKS } from "../work/project/work/task-verbs.ts";
import { WORK } from "../work/project/work/verbs.ts";
import { FEW_TOOLS, GOES_BACK, IS_SHOWN } from "../work/verbs/reasons.ts";
import { type UntypedVerb, type VerbEntry, type VerbTable, verbName } from "../work/verbs/spec.ts";

const { now, ...SAVING_REST } = SAVING;

/** Every verb, in the order of the help. */
export const TABLES: readonly VerbTable[] = [
  { group: "saving", entries: { now, ...READING, ...SAVING_REST, ...SESSIONS, ...FEED } },
  {
    group: "work",
    entries: { ...WORK, ...CORRECTIONS, ...TASKS },
    tool: FEW_TOOLS,
    page: IS_SHOWN,
  },
  { group: "history", entries: HISTORY, tool: GOES_BACK, page: IS_SHOWN },
  { group: "keeping", entries: KEEPING },
  ...CAPABILITIES.flatMap(({ verbs = [] }) => verbs),
];

/** A verb by its name in the library, with what its table says where it does not. */
export type KnownVerb = (VerbEntry | UntypedVerb) & Pick<VerbEntry, "tool" | "page">;

/** Undefined where no table has it. */
export function verbNamed(name: string): KnownVerb | undefined {
  for (const { entries, tool, page } of TABLES)
    for (const [key, entry] of Object.entries(entries))
      if (verbName(key, entry) === name) return { ...(tool && { tool }), ...(page && { page }), ...entry };
  return undefined;
}
