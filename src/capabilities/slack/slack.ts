import { isCheckpointError } from "../../core/errors.ts";
import { textOf } from "../../core/text/untrusted.ts";
import type { FeedEvent } from "../../work/project/feed/feed-event.ts";
import { readRecords, writeRecords } from "../../work/project/feed/records.ts";
import { exactRun } from "../integrations/answer-for.ts";
import type { Integration, IntegrationWorld } from "../integrations/integration.ts";
import { type Run, stateOf, stepOf } from "../workflow/run/run-state.ts";
import { type SlackClient, slackClient } from "./client.ts";
import { receiveSlack } from "./receive.ts";
import { isTold, labelOf, plain, wordsOf } from "./words.ts";

/** What came within this time of a flood belongs to it. */
const FLOOD_MS = 60_000;
const BOOK = "integrations-slack";

/** The message that a flood became. */
interface Digest {
  readonly ts: string;
  readonly since: string;
  readonly at: string;
  readonly counts: Readonly<Record<string, number>>;
}

export const slackIntegration: Integration = {
  name: "slack",
  async outlets(world) {
    const client = await slackClient(world);
    if (client === undefined) return [];
    return [
      {
        name: "slack",
        kinds: ["run", "approval", "violation", "breaker"],
        takes: "flood",
        wants: isTold,
        deliver: (events) => deliver(world, client, events),
        test: () => test(client),
      },
    ];
  },
  receiver: receiveSlack,
};

/** Questions are always asked by themselves. */
async function deliver(
  world: IntegrationWorld,
  client: SlackClient,
  events: readonly FeedEvent[],
): Promise<void> {
  const { project } = world;
  const digest = await readKept<Digest>(world, "digest");
  const isFlooded = digest !== undefined && project.now().getTime() - Date.parse(digest.at) < FLOOD_MS;
  const rest: FeedEvent[] = [];
  for (const event of events) {
    if (event.type === "approval-asked") await ask(world, client, event);
    else if (event.type !== "approval-decided") rest.push(event);
    else if (!(await showAnswer(world, client, event)) && events.length === 1)
      await client.post({ text: wordsOf(event) });
  }
  const [only] = rest;
  if (only === undefined) return;
  if (client.isBot && (isFlooded || rest.length > 1))
    return flood(world, client, rest, isFlooded ? digest : undefined);
  await client.post(
    rest.length === 1 ? { text: wordsOf(only) } : { text: floodWords(countsOf(rest), only.at) },
  );
}

async function flood(
  world: IntegrationWorld,
  client: SlackClient,
  events: readonly FeedEvent[],
  before: Digest | undefined,
): Promise<void> {
  const counts = countsOf(events, before?.counts);
  const since = before?.since ?? events[0]!.at;
  const text = `${floodWords(counts, since)}\nThe last: ${wordsOf(events.at(-1)!)}`;
  const ts = before?.ts ?? (await client.post({ text })) ?? "";
  if (before !== undefined) await client.update(ts, { text });
  await writeKept(world, "digest", { ts, since, at: world.project.now().toISOString(), counts });
}

function countsOf(events: readonly FeedEvent[], before: Digest["counts"] = {}): Record<string, number> {
  const counts: Record<string, number> = { ...before };
  for (const event of events) {
    const label = labelOf(event) ?? event.type;
    counts[label] = (counts[label] ?? 0) + 1;
  }
  return counts;
}

function floodWords(counts: Digest["counts"], since: string): string {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const lines = Object.entries(counts).map(([label, count]) => `• ${label}: ${count}`);
  return [`*${total} events since ${since}*`, ...lines].join("\n");
}

/** With buttons, where an answer from Slack would be taken. Not asked where it was answered meanwhile. */
async function ask(world: IntegrationWorld, client: SlackClient, event: FeedEvent): Promise<void> {
  if (event.kind !== "approval" || event.run === undefined) return;
  const step = textOf(event.details, "step") ?? "";
  const run = await exactRun(world.project, event.run).catch((error: unknown) => {
    if (!isCheckpointError(error, "not-found")) throw error;
  });
  if (run === undefined || stateOf(run, step).status !== "awaiting_approval") return;
  const text = wordsOf(event);
  const hint = {
    type: "context",
    elements: [{ type: "mrkdwn", text: `\`checkpoint approve ${plain(run.id)}\`` }],
  };
  const section = { type: "section", text: { type: "mrkdwn", text } };
  const canAnswer = client.isBot && Object.keys(world.settings.slack?.approvers ?? {}).length > 0;
  const buttons = canAnswer ? [{ type: "actions", elements: buttonsOf(run, step) }] : [];
  const ts = await client.post({ text, blocks: [section, ...buttons, hint] });
  if (ts !== undefined) await writeKept(world, `asked/${run.id}/${step}`, { ts });
}

/** What is pressed is what was seen: the files that the question is about have this digest. */
function buttonsOf(run: Run, step: string): object[] {
  const { digest } = stateOf(run, step);
  const options = stepOf(run, step)?.options ?? [];
  const button = (approved: boolean, label: string, option?: string) => ({
    type: "button",
    action_id: `checkpoint-${approved ? "approve" : "reject"}-${option === undefined ? "" : options.indexOf(option)}`,
    style: approved ? "primary" : "danger",
    text: { type: "plain_text", text: label.slice(0, 75) },
    value: JSON.stringify({ run: run.id, step, approved, digest, option }),
  });
  const approving =
    options.length === 0
      ? [button(true, "Approve")]
      : options.slice(0, 20).map((each) => button(true, each, each));
  return [...approving, button(false, "Reject")];
}

/** In place of the question. False where the question was not asked in Slack. */
async function showAnswer(world: IntegrationWorld, client: SlackClient, event: FeedEvent): Promise<boolean> {
  if (event.kind !== "approval") return false;
  const key = `asked/${event.run}/${textOf(event.details, "step") ?? ""}`;
  const asked = await readKept<{ readonly ts: string }>(world, key);
  if (asked === undefined || !client.isBot) return false;
  const text = wordsOf(event);
  await client.update(asked.ts, { text, blocks: [{ type: "section", text: { type: "mrkdwn", text } }] });
  await writeKept(world, key, null);
  return true;
}

async function test(client: SlackClient): Promise<string> {
  if (!client.isBot) {
    await client.post({ text: "checkpoint integrations test" });
    return "took a message; with $SLACK_BOT_TOKEN messages are updated and have buttons";
  }
  const answered = await client.call("auth.test", {});
  return `is ${textOf(answered, "user") ?? "a bot"} in ${textOf(answered, "team") ?? "a workspace"}`;
}

async function readKept<Kept>({ project }: IntegrationWorld, key: string): Promise<Kept | undefined> {
  const { store } = await project.stores.open(project, "write", null);
  const text = (await readRecords(store, BOOK)).get(key);
  return text === undefined ? undefined : (JSON.parse(text) as Kept);
}

async function writeKept({ project }: IntegrationWorld, key: string, value: object | null): Promise<void> {
  const { store } = await project.stores.open(project, "write", null);
  const records = { [key]: value && JSON.stringify(value) };
  await writeRecords(store, BOOK, { records, now: project.now() });
}
