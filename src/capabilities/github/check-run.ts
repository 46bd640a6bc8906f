import { asList, own } from "../../core/text/untrusted.ts";
import { clip } from "../../core/text/visible.ts";
import type { RunStatus } from "../../work/state/run-trail.ts";
import { reportOf } from "./run-words.ts";
import type { Run } from "../workflow/run/run-state.ts";
import type { GithubClient } from "./client.ts";
import { idOf, type KnownRun } from "./kept.ts";
import { fitting, plain, stepsTable } from "./markdown.ts";

/** Shows how a run stands on its commit: a check run, found again by the run's name, or a commit status. */
export async function showOnCommit(
  client: GithubClient,
  run: Run,
  { sha, known }: { readonly sha: string; readonly known: KnownRun | undefined },
): Promise<number | undefined> {
  if (client.isPersonal) {
    await client.request("POST", `/statuses/${sha}`, statusOf(run));
    return undefined;
  }
  const body = checkOf(run);
  if (known?.check !== undefined && known.sha !== sha) await leave(client, known.check, sha);
  const check = (known?.sha === sha ? known.check : undefined) ?? (await findCheck(client, run, sha));
  if (check === undefined)
    return idOf((await client.request("POST", "/check-runs", { ...body, head_sha: sha })).body);
  await client.request("PATCH", `/check-runs/${check}`, body);
  return check;
}

/** One that was made just before a crash. */
async function findCheck(client: GithubClient, run: Run, sha: string): Promise<number | undefined> {
  const query = `check_name=${encodeURIComponent(nameOf(run))}&filter=all&per_page=100`;
  const { body } = await client.request("GET", `/commits/${sha}/check-runs?${query}`);
  const found = asList(own(body, "check_runs")).find((check) => own(check, "external_id") === run.id);
  return found === undefined ? undefined : idOf(found);
}

/** The run goes on with another commit: a check that never ends would keep the old one waiting. */
async function leave(client: GithubClient, check: number, sha: string): Promise<void> {
  const output = { title: `Continued on ${sha.slice(0, 9)}`, summary: `The run continued on ${sha}.` };
  await client.request("PATCH", `/check-runs/${check}`, {
    status: "completed",
    conclusion: "neutral",
    output,
  });
}

const nameOf = ({ workflow }: Run) => `checkpoint: ${clip(workflow, 80)}`;

const CONCLUSIONS: Partial<Record<RunStatus, string>> = {
  completed: "success",
  failed: "failure",
  cancelled: "cancelled",
  archived: "neutral",
};

function checkOf(run: Run): object {
  const { title, steps } = reportOf(run);
  const conclusion = CONCLUSIONS[run.status];
  return {
    name: nameOf(run),
    external_id: run.id,
    started_at: run.created_at,
    ...(conclusion === undefined
      ? { status: run.status === "pending" ? "queued" : "in_progress" }
      : { status: "completed", conclusion, completed_at: run.updated_at }),
    output: { title: clip(title, 250), summary: fitting(`Run **${plain(run.id)}**\n\n${stepsTable(steps)}`) },
  };
}

function statusOf(run: Run): object {
  const conclusion = CONCLUSIONS[run.status];
  const failed = conclusion === "failure" ? "failure" : "error";
  const state = conclusion === undefined ? "pending" : conclusion === "success" ? "success" : failed;
  return { state, context: nameOf(run), description: clip(`${run.id}: ${reportOf(run).title}`, 140) };
}
