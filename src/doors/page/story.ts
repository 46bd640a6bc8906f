import { CheckpointError } from "../../core/errors.ts";
import { shortened } from "../../core/text/shorten.ts";
import type { Project } from "../../work/project/project.ts";
import { sessionStory } from "../../work/project/reading/session-story.ts";
import { sessions } from "../../work/project/reading/sessions.ts";

/** The most lines, the newest, and how much of each: a session of a week has a hundred thousand. */
const MOST_LINES = 2000;
const MOST_CHARS = 4000;

/** A session as `sessions show` tells it. */
export async function story(project: Project, id: string) {
  const session = (await sessions(project, { all: true })).find((each) => each.id === id);
  if (session === undefined) throw new CheckpointError("not-found", `There is no session "${id}".`);
  const { story: lines, tokens } = await sessionStory(project, session);
  const shown = lines.slice(-MOST_LINES).map((line) => ({ ...line, text: shortened(line.text, MOST_CHARS) }));
  return { session, tokens, story: shown, older: lines.length - shown.length };
}
