import { isCheckpointError, messageOf } from "../../core/errors.ts";
import { asList, textOf } from "../../core/text/untrusted.ts";
import type { IntegrationWorld } from "../integrations/integration.ts";
import { isAnswer, takeAnswer } from "./approval.ts";
import { type GithubClient, githubClient } from "./client.ts";
import { readPolled, writePolled } from "./kept.ts";
import { saidIn, WEBHOOK_SECRET } from "./receive.ts";

const POLL_MS = 60_000;
const PAGE = 100;

/** Where no webhook can arrive, comments are fetched every minute. Reviews cannot be asked for like that. */
export async function pollComments(world: IntegrationWorld): Promise<(() => Promise<void>) | undefined> {
  const client = await githubClient(world);
  const { approvers = {} } = world.settings.github ?? {};
  if (client === undefined || Object.keys(approvers).length === 0) return undefined;
  if ((await world.secret(WEBHOOK_SECRET)) !== undefined) return undefined;
  return async () => {
    while (!world.signal.aborted) {
      await pollOnce(world, client).catch((error: unknown) => {
        if (world.signal.aborted) return;
        if (!isCheckpointError(error)) throw error;
        world.tell(`github: comments could not be fetched: ${messageOf(error)}`);
      });
      await world.wait(POLL_MS);
    }
  };
}

/** Comments that were changed at the same second as the last one come again: those that were dealt with are known. */
async function pollOnce(world: IntegrationWorld, client: GithubClient): Promise<void> {
  const { project } = world;
  const since = (await readPolled(project)) ?? project.now().toISOString();
  for (let page = 1; ; page++) {
    const query = `since=${encodeURIComponent(since)}&sort=updated&direction=asc&per_page=${PAGE}&page=${page}`;
    const { body } = await client.request("GET", `/issues/comments?${query}`);
    const comments = asList(body);
    for (const comment of comments) {
      const pull = Number(/\/(\d+)$/.exec(textOf(comment, "issue_url") ?? "")?.[1]);
      const said = saidIn(comment, pull);
      const told = isAnswer(said.text) ? await takeAnswer(world, client, said) : undefined;
      if (told !== undefined) world.tell(told);
    }
    const last = textOf(comments.at(-1), "updated_at");
    await writePolled(project, last ?? since);
    if (comments.length < PAGE) return;
  }
}
