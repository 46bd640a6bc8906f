import { createHash } from "node:crypto";
import { isCheckpointError } from "../../core/errors.ts";
import { asList, own, textOf } from "../../core/text/untrusted.ts";
import type { Project } from "../../work/project/project.ts";
import { summary } from "../../work/project/reading/summary.ts";
import { runTrail } from "../../work/state/run-trail.ts";
import { reportOf } from "./run-words.ts";
import { type Run, stepsWith } from "../workflow/run/run-state.ts";
import type { GithubClient } from "./client.ts";
import { idOf, type KnownRun } from "./kept.ts";
import { fitting, plain } from "./markdown.ts";

const PAGE = 100;
const MOST_PAGES = 10;

/** The run's handoff, as one comment on the open pull request of its commit. Undefined where there is no such request. */
export async function showOnPullRequest(
  client: GithubClient,
  project: Project,
  { run, sha, known }: { readonly run: Run; readonly sha: string; readonly known: KnownRun | undefined },
): Promise<number | undefined> {
  const { body: pulls } = await client.request("GET", `/commits/${sha}/pulls`);
  const pull = asList(pulls).find((each) => own(each, "state") === "open");
  if (pull === undefined) return known?.comment;
  const number = Number(own(pull, "number"));
  const marker = await markerOf(project, run);
  const body = fitting(`${marker}\n${await words(project, run)}`);
  const comment = known?.comment ?? (await findComment(client, number, marker));
  if (comment !== undefined) {
    const updated = await client
      .request("PATCH", `/issues/comments/${comment}`, { body })
      .catch((error: unknown) => {
        // A person deleted it.
        if (!isCheckpointError(error) || error.details["status"] !== 404) throw error;
      });
    if (updated !== undefined) return comment;
  }
  return idOf((await client.request("POST", `/issues/${number}/comments`, { body })).body);
}

/** The first one with the marker: a copy of it by another person comes later. */
async function findComment(client: GithubClient, pull: number, marker: string): Promise<number | undefined> {
  for (let page = 1; page <= MOST_PAGES; page++) {
    const query = `per_page=${PAGE}&page=${page}`;
    const { body } = await client.request("GET", `/issues/${pull}/comments?${query}`);
    const found = asList(body).find((comment) => textOf(comment, "body")?.startsWith(marker));
    if (found !== undefined) return idOf(found);
    if (asList(body).length < PAGE) return undefined;
  }
  return undefined;
}

/** The store's random id is in it, so that nobody can make one up before it is seen. */
async function markerOf(project: Project, run: Run): Promise<string> {
  const { store } = await project.stores.open(project, "read", null);
  const { id } = await store.identity();
  const digest = createHash("sha256").update(`${id}/${run.id}`).digest("hex").slice(0, 24);
  return `<!-- checkpoint ${digest} -->`;
}

async function words(project: Project, run: Run): Promise<string> {
  const { text } = await summary(project, { trail: runTrail(run.id), level: "compact" });
  const fence = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)));
  const asked = stepsWith(run, "awaiting_approval").map(
    (step) =>
      `**${plain(step.question ?? step.id)}** To answer, comment \`/approve ${run.id}\` or \`/reject ${run.id} REASON\`.\n`,
  );
  return [
    `**Run ${plain(run.id)}**: ${plain(reportOf(run).title)}`,
    "",
    ...asked,
    "<details><summary>Handoff</summary>",
    "",
    fence,
    text,
    fence,
    "",
    "</details>",
  ].join("\n");
}
