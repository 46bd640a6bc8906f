import { CheckpointError, EXIT_STATUS } from "../../../core/errors.ts";
import * as verbs from "../../../work/project/reading/sessions.ts";
import { followStory, sessionStory } from "../../../work/project/reading/session-story.ts";
import { interruptibleWait } from "../../../work/terminal/interruptible-wait.ts";
import type { CommandOf } from "../command.ts";
import { isOver, sessionLines, sessionScreen, storyLine, waysOn } from "../view/sessions.ts";
import { count } from "../../../work/state/words.ts";

/** How many are shown unless all are asked for. */
const SHOWN = 10;

export const sessions: CommandOf<"sessions"> = async (context, { all }, output) => {
  const found = await verbs.sessions(context.project, { all });
  const shown = all ? found : found.slice(0, SHOWN);
  const more = found.length - shown.length;
  if (found.length === 0)
    output.message(
      "No agent session is known yet.\nTo read those that were recorded: checkpoint import claude",
    );
  if (more > 0) output.message(`${count(more, "older session")} not shown: checkpoint sessions --all`);
  output.result({ sessions: shown, more }, () =>
    shown.map((session) => sessionLines(session, context.now(), output)).join("\n"),
  );
};

export const sessionsShow: CommandOf<"sessions show"> = async (
  context,
  { session: wanted, follow },
  output,
) => {
  const { project } = context;
  const session = pick(await verbs.sessions(project, { all: true }), wanted);
  const { story, tokens } = await sessionStory(project, session);
  const about = { session, go_on: waysOn(session), tokens };
  output.result({ ...about, story }, () => {
    const screen = sessionScreen({ ...session, tokens }, context.now(), output);
    return [screen, ...(story.length > 0 ? ["", ...story.map((line) => storyLine(line, output))] : [])].join(
      "\n",
    );
  });
  if (!follow || isOver(session.status)) return undefined;
  const pause = interruptibleWait(context);
  for await (const lines of followStory(project, session, { story, signal: pause.signal })) {
    output.part({ ...about, story: lines }, lines.map((line) => storyLine(line, output)).join("\n"));
  }
  return pause.isOver() ? EXIT_STATUS.interrupted : 0;
};

function pick(found: readonly verbs.AgentSessionReport[], wanted: string): verbs.AgentSessionReport {
  const exact = found.find(({ id, trail }) => id === wanted || trail === wanted);
  if (exact !== undefined) return exact;
  const alike = found.filter(({ id }) => id.startsWith(wanted));
  if (alike.length === 1) return alike[0] as verbs.AgentSessionReport;
  if (alike.length > 1) {
    throw new CheckpointError("usage", `"${wanted}" is the beginning of ${alike.length} sessions.`, {
      hint: "Type more of the id: checkpoint sessions --all",
      details: { wanted },
    });
  }
  throw new CheckpointError("not-found", `There is no session "${wanted}".`, {
    hint: "checkpoint sessions --all",
    details: { wanted },
  });
}
