import type { McpServer } from "@modelcontextprotocol/server";
import { isCheckpointError } from "../../core/errors.ts";
import { explainError } from "../../work/project/explain-error.ts";
import { summary } from "../../work/project/reading/summary.ts";
import type { AgentDoor } from "./agent-door.ts";
import { standardSchema } from "./standard-schema.ts";

/** What a person can type to make the agent take over, or hand over. */
export function addPrompts(server: McpServer, door: AgentDoor): void {
  server.registerPrompt(
    "resume",
    {
      title: "Resume the work",
      description: "Go on where the last context stopped.",
      argsSchema: standardSchema<{ readonly task?: string }>({
        type: "object",
        properties: {
          task: {
            type: "string",
            maxLength: 2000,
            description: "What to continue, if only part of it.",
          },
        },
      }),
    },
    async ({ task }) => said(await door.underway(() => resumeWords(server, door, task))),
  );

  server.registerPrompt(
    "hand_over",
    {
      title: "Hand the work over",
      description: "Bring the record up to date, so that another context can continue.",
    },
    async () => said(HAND_OVER),
  );
}

function said(text: string) {
  return { messages: [{ role: "user" as const, content: { type: "text" as const, text } }] };
}

async function resumeWords(server: McpServer, door: AgentDoor, task: string | undefined): Promise<string> {
  try {
    const project = await door.project({ server });
    const { text } = await summary(project, { for: task, level: "standard", shrink: true });
    return `${text.trimEnd()}\n\n${RESUME}${task === undefined ? "" : `\nGo on with this: ${task}`}`;
  } catch (error) {
    if (!isCheckpointError(error, "not-found")) throw explainError(error);
    return `${error.message} There is nothing to resume: set the goal with the tool "goal" and start.`;
  }
}

const RESUME = `Above is the record of the work so far. Check it before you build on it: look at the files and run the checks that it names. Then take the next action. Mark tasks with task_status when they start and when they are done, with what shows it, and record decisions with decide.`;

const HAND_OVER = `Another context will continue this work and will know nothing but the record. Bring it up to date now:
1. Compare the tool "tasks" with what was really done. Correct it with task_status (with evidence for what is done) and task_add.
2. Record each decision that was made and is not there yet, with its reason: decide.
3. Say in one sentence what is to be done next: next. If the goal is missing or has changed: goal.
4. Save with now, and say in its notes what is unfinished and what to be careful about.
5. Read handoff. If something that the next context needs is missing in it, add it and save again.`;
