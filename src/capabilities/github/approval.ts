import { isCheckpointError } from "../../core/errors.ts";
import { asText, own, textOf } from "../../core/text/untrusted.ts";
import { clip, oneLine } from "../../core/text/visible.ts";
import { answerFrom, exactRun } from "../integrations/answer-for.ts";
import type { IntegrationWorld } from "../integrations/integration.ts";
import { stateOf, stepsWith } from "../workflow/run/run-state.ts";
import type { GithubClient } from "./client.ts";
import { noteSeen, wasSeen } from "../integrations/seen.ts";

/** A comment on a pull request, or a review of one, that GitHub vouches for. */
export interface Said {
  /** `comment/1` or `review/1` */
  readonly id: string;
  readonly pull: number;
  readonly user: unknown;
  readonly text: string;
  readonly at: string;
  readonly isEdited: boolean;
  /** What was reviewed. */
  readonly commit?: string | undefined;
}

/** At the very beginning: what quotes it, or tells how to answer, is no answer. */
const COMMAND =
  /^\/(?<word>approve|reject)\s+(?<run>[\w.-]{1,100})(?:[ \t]+(?<rest>[^\r\n]{1,500}))?[ \t]*(?:\r?\n|$)/;

export const isAnswer = (text: string): boolean => COMMAND.test(text);

/**
 * Answers a question of a run, if what was said does: by a person of the list, about the commit that the run is at, after
 * the question, and once. Returns what became of it, in a line; undefined for what is no answer.
 */
export async function takeAnswer(
  world: IntegrationWorld,
  client: GithubClient,
  said: Said,
): Promise<string | undefined> {
  const { word, run, rest } = COMMAND.exec(said.text)?.groups ?? {};
  if (run === undefined) return undefined;
  const { project, settings } = world;
  const account = asText(own(said.user, "login")) ?? "unknown";
  const about = `${word} ${run} by ${oneLine(clip(account, 60))}`;
  if (await wasSeen(project, "github", said.id)) return `Ignored ${about}: it was dealt with before.`;
  const userId = String(own(said.user, "id"));
  const by = own(settings.github?.approvers ?? {}, userId) as string | undefined;
  try {
    const why =
      by === undefined ? "the account is not among the approvers" : await whyNot(world, client, said, run);
    if (why !== undefined || by === undefined) {
      await noteSeen(project, "github", said.id);
      return `Refused ${about}: ${why}.`;
    }
    const approved = word === "approve";
    const step = await answerFrom(project, {
      run,
      approved,
      ...(approved ? { option: rest } : { reason: rest }),
      by,
      account: `GitHub account ${account} (${userId})`,
    });
    await noteSeen(project, "github", said.id);
    return `${approved ? "Approved" : "Rejected"} ${step} of ${run}, by ${oneLine(by)}.`;
  } catch (error) {
    // What may pass is not dealt with: it may come again.
    if (!isCheckpointError(error) || error.details["kind"] !== undefined) throw error;
    await noteSeen(project, "github", said.id);
    return `Refused ${about}: ${error.message}`;
  }
}

async function whyNot(
  { project }: IntegrationWorld,
  client: GithubClient,
  said: Said,
  name: string,
): Promise<string | undefined> {
  if (said.isEdited) return "it was edited";
  const run = await exactRun(project, name);
  const asked = stepsWith(run, "awaiting_approval").map(
    ({ id }) => stateOf(run, id).started_at ?? run.created_at,
  );
  if (asked.length === 0) return "it asks nothing now";
  // GitHub's clock has whole seconds.
  if (asked.some((at) => Date.parse(said.at) + 1000 <= Date.parse(at)))
    return "it was written before the question";
  const { body: pull } = await client.request("GET", `/pulls/${said.pull}`);
  const head = own(pull, "head");
  if (textOf(own(head, "repo"), "full_name") !== client.repository)
    return "the pull request comes from a fork";
  if (own(pull, "state") !== "open") return "the pull request is closed";
  const sha = textOf(head, "sha");
  if (sha === undefined || sha !== run.git_head) return "the run is not at the head of the pull request";
  return said.commit === undefined || said.commit === sha ? undefined : "the review is of another commit";
}
