import type { WorkState } from "../../src/index.ts";

/** What an agent does first, step by step, and the note that it leaves at each. */
export const FIRST_STEPS: readonly (readonly [note: string, change: (state: WorkState) => void])[] = [
  [
    "goal set",
    (state) => {
      state.goal = "Let people sign in with a passkey";
      state.success_criteria = ["the old password form still works", "all tests pass"];
    },
  ],
  [
    "three tasks planned",
    (state) => {
      const subjects = ["Read the login code", "Add the passkey endpoint", "Write the tests"];
      state.tasks = subjects.map((subject, at) => newTask(`t${at + 1}`, subject));
      state.active_task_id = "t1";
    },
  ],
  [
    "decided where keys are kept",
    (state) => {
      state.decisions.push({ what: "Keys live in the accounts table", why: "one migration, one backup" });
      state.variables["database"] = "accounts";
    },
  ],
];

/** One tool call of an agent, as a stream of them changes the state: an output is added, and the work moves on. */
export function useTool(state: WorkState, call: number): void {
  const file = `src/login/${["form", "session", "passkey", "routes"][call % 4]}.ts`;
  const action = `edit ${file}: ${sentence(call)}`;
  const timestamp = new Date().toISOString();
  state.recent_outputs.push({ type: "tool", id: `call-${call}`, action, success: call % 9 !== 0, timestamp });
  if (!state.files_touched.includes(file)) state.files_touched.push(file);
  state.next_action = `look at what call-${call} printed`;
  for (const [at, task] of state.tasks.entries()) {
    if (call === 40 * (at + 1)) task.status = "completed";
  }
}

function newTask(id: string, subject: string): WorkState["tasks"][number] {
  return { id, subject, status: "pending", owner: null, blocks: [], blocked_by: [] };
}

const WORDS =
  "the session keeps a key that the browser made and the server checks it before any row is read".split(" ");

/** About 400 characters that differ from call to call. */
function sentence(call: number): string {
  return Array.from({ length: 70 }, (_, at) => WORDS[(call * 31 + at * (call + 7)) % WORDS.length]).join(" ");
}
