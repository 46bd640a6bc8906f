import { isCheckpointError } from "../../core/errors.ts";
import { textOf } from "../../core/text/untrusted.ts";
import type { FeedEvent } from "../../work/project/feed/feed-event.ts";
import { exactRun } from "../integrations/answer-for.ts";
import type { Integration, IntegrationWorld } from "../integrations/integration.ts";
import { showOnCommit } from "./check-run.ts";
import { type GithubClient, githubClient } from "./client.ts";
import { showOnPullRequest } from "./comment.ts";
import { readKnown, writeKnown } from "./kept.ts";
import { pollComments } from "./poll.ts";
import { receiveGithub } from "./receive.ts";

export const githubIntegration: Integration = {
  name: "github",
  async outlets(world) {
    const client = await githubClient(world);
    if (client === undefined) return [];
    return [
      {
        name: "github",
        kinds: ["run", "approval"],
        takes: "latest",
        wants: ({ kind }) => kind !== "notice",
        async deliver(events) {
          for (const event of events) await show(world, client, event);
        },
        test: () => test(client),
      },
    ];
  },
  receiver: receiveGithub,
  poller: pollComments,
};

/** Shows how the run of an event stands now, which may be further than the event. */
async function show(world: IntegrationWorld, client: GithubClient, event: FeedEvent): Promise<void> {
  const { project } = world;
  if ((event.kind !== "run" && event.kind !== "approval") || event.run === undefined) return;
  const run = await exactRun(project, event.run).catch((error: unknown) => {
    // It was removed meanwhile.
    if (!isCheckpointError(error, "not-found")) throw error;
  });
  const sha = run?.git_head;
  // Outside of git there is nothing to show it on.
  if (run === undefined || sha === undefined) return;
  const before = await readKnown(project, run.id);
  const check = await showOnCommit(client, run, { sha, known: before });
  const known = { ...before, sha, ...(check === undefined ? {} : { check }) };
  if (before?.check !== check || before?.sha !== sha) await writeKnown(project, run.id, known);
  if (run.status === "running" || run.status === "pending") return;
  const comment = await showOnPullRequest(client, project, { run, sha, known });
  if (comment !== undefined && comment !== known.comment)
    await writeKnown(project, run.id, { ...known, comment });
}

async function test(client: GithubClient): Promise<string> {
  const { body } = await client.request("GET", "");
  const name = textOf(body, "full_name") ?? client.repository;
  return `sees ${name}; runs are ${client.isPersonal ? "commit statuses, as with every personal token" : "check runs"}`;
}
