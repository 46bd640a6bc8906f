import { createHmac } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Incoming } from "../../src/capabilities/integrations/integration.ts";
import * as verbs from "../../src/doors/library/project.ts";
import type { Project } from "../../src/work/project/project.ts";
import { commitAll, useProjects } from "../feed/support/project.ts";
import { startShipping } from "./support/runs.ts";
import { configure, openFollowing, startService, withEnv, type Answerer, type Got } from "./support/world.ts";

const makeProject = useProjects();
const SECRET = "signing secret";
const CHANNEL = "C0123456789";
const TOKEN = "xoxb-a-token";

async function connected({ answer, env = {} }: { answer?: Answerer; env?: Record<string, string> } = {}) {
  let ts = 0;
  const service = await startService(async (got) => {
    const given = await answer?.(got);
    if (given !== undefined && Object.keys(given).length > 0) return given;
    if (got.headers["authorization"] !== `Bearer ${TOKEN}`)
      return { body: { ok: false, error: "invalid_auth" } };
    return { body: { ok: true, ts: `1.${ts++}`, user: "cairn", team: "Shop" } };
  });
  const project = withEnv(makeProject(), {
    SLACK_BOT_TOKEN: TOKEN,
    SLACK_SIGNING_SECRET: SECRET,
    SLACK_API_URL: service.url,
    ...env,
  });
  await commitAll(project, ["before"]);
  await configure(project, `slack: { channel: ${CHANNEL}, approvers: { U1: ann } }`);
  const following = await openFollowing(project);
  const receive = (await following.all.find(({ name }) => name === "slack")!.receiver!(following.world))!;
  return { project, ...service, ...following, receive };
}

interface Button {
  readonly value: string;
  readonly text: { readonly text: string };
}

/** The buttons of a message. */
const buttonsIn = ({ json }: Got): readonly Button[] =>
  (json["blocks"] as { type: string; elements?: Button[] }[]).find(({ type }) => type === "actions")
    ?.elements ?? [];

interface Pressed {
  readonly user?: string;
  readonly channel?: string;
  readonly secret?: string;
  readonly ageSeconds?: number;
}

function press(
  value: string,
  { user = "U1", channel = CHANNEL, secret = SECRET, ageSeconds = 0 }: Pressed = {},
): Incoming {
  const payload = {
    type: "block_actions",
    user: { id: user, username: "ann.s" },
    channel: { id: channel },
    actions: [{ value }],
  };
  const body = Buffer.from(new URLSearchParams({ payload: JSON.stringify(payload) }).toString());
  const timestamp = String(Math.floor(Date.now() / 1000) - ageSeconds);
  const digest = createHmac("sha256", secret).update(`v0:${timestamp}:`).update(body).digest("hex");
  return { headers: { "x-slack-request-timestamp": timestamp, "x-slack-signature": `v0=${digest}` }, body };
}

const isAnswered = async (project: Project) => {
  const { state } = await verbs.load(project, { trail: "run/r" });
  return (state["run"] as { steps: { decision?: object }[] }).steps.find(({ decision }) => decision)
    ?.decision;
};

const methods = (got: readonly Got[]) => got.map(({ path }) => path.slice(1));

describe("Slack", () => {
  it("is told what waits and what failed, and nothing of what goes well", async () => {
    const { project, got, catchUp } = await connected();
    await startShipping(project, { runId: "fine", steps: [{ id: "a", run: "true" }] });
    await startShipping(project, { runId: "broken", steps: [{ id: "a", run: "exit 3 # <!here> & co" }] });
    await startShipping(project);
    await catchUp();
    expect(methods(got)).toEqual(["chat.postMessage", "chat.postMessage"]);
    expect(got[0]?.json).toMatchObject({
      channel: CHANNEL,
      text: expect.stringMatching(/^Run broken failed: /),
    });
    expect(got[1]?.json).toMatchObject({ text: "Run r asks: Ship it?" });
    expect(buttonsIn(got[1]!).map(({ text }) => text.text)).toEqual(["Approve", "Reject"]);
  });

  it("forms no mention of what a run says", async () => {
    const { project, got, catchUp } = await connected();
    await startShipping(project, { steps: [{ id: "a", approve: "<!channel> <https://evil|look> & go?" }] });
    await catchUp();
    expect(got[0]?.json["text"]).toBe("Run r asks: &lt;!channel&gt; &lt;https://evil|look&gt; &amp; go?");
  });

  it("takes an answer by a button, and shows it in place of the question", async () => {
    const { project, got, receive, catchUp } = await connected();
    await startShipping(project);
    await catchUp();
    const [approve] = buttonsIn(got[0]!);
    expect((await receive(press(approve!.value))).told).toBe("Approved ship of r, by ann.");
    expect(await isAnswered(project)).toMatchObject({
      by: "ann",
      identity: "asked by Slack account ann.s (U1)",
    });
    await catchUp();
    expect(methods(got).slice(1)).toEqual(["chat.update"]);
    expect(got[1]?.json).toMatchObject({ ts: "1.0", text: "ship of run r was approved by ann" });
    expect(buttonsIn(got[1]!)).toEqual([]);
  });

  it("refuses an answer that is forged, late, of a stranger, or from another channel, and one that comes again", async () => {
    const { project, got, receive, catchUp } = await connected();
    await startShipping(project);
    await catchUp();
    const { value } = buttonsIn(got[0]!)[0]!;
    expect((await receive(press(value, { secret: "guessed" }))).status).toBe(401);
    expect(await receive(press(value, { ageSeconds: 301 }))).toEqual({
      status: 401,
      told: "Refused a request to /slack: it is older than five minutes.",
    });
    expect((await receive(press(value, { user: "U2" }))).told).toContain("not among the approvers");
    expect((await receive(press(value, { user: "constructor" }))).told).toContain("not among the approvers");
    expect((await receive(press(value, { channel: "C9" }))).told).toContain("another channel");
    const again = press(value, { user: "U3" });
    await receive(again);
    expect((await receive(again)).told).toContain("came again");
    expect(await isAnswered(project)).toBeUndefined();
  });

  it("takes no answer to files that changed since they were shown", async () => {
    const { project, got, receive, catchUp } = await connected();
    const steps = [
      { id: "write", run: "echo one > plan.md", outputs: ["plan.md"] },
      { id: "ship", approve: "Ship it?" },
    ];
    await startShipping(project, { steps });
    await catchUp();
    writeFileSync(join(project.root, "plan.md"), "two\n");
    const { value } = buttonsIn(got[0]!)[0]!;
    expect((await receive(press(value))).told).toContain("has changed since it was shown");
    expect(await isAnswered(project)).toBeUndefined();
  });

  it("gets one message for a flood, which is updated, and each question by itself", async () => {
    const { project, got, catchUp } = await connected();
    const fail = (runId: string) => startShipping(project, { runId, steps: [{ id: "a", run: "false" }] });
    for (let run = 0; run < 7; run++) await fail(`f${run}`);
    await startShipping(project);
    await catchUp();
    expect(methods(got)).toEqual(["chat.postMessage", "chat.postMessage"]);
    expect(got[0]?.json["text"]).toBe("Run r asks: Ship it?");
    expect(got[1]?.json["text"]).toMatch(/^\*7 events since .*\*\n• failed runs: 7\nThe last: Run f6 failed/);
    await fail("g");
    await catchUp();
    expect(methods(got).slice(2)).toEqual(["chat.update"]);
    expect(got[2]?.json).toMatchObject({ ts: "1.1", text: expect.stringContaining("failed runs: 8") });
  });

  it("is left alone as long as it asks, and stops where the token is wrong", async () => {
    const answers: { status?: number; headers?: Record<string, string>; body?: object }[] = [
      { status: 429, headers: { "retry-after": "30" } },
    ];
    const { project, got, waits, told, catchUp } = await connected({ answer: () => answers.shift() ?? {} });
    await startShipping(project);
    await catchUp();
    expect(waits).toContain(30_000);
    expect(got.length).toBe(2);
    answers.push({ body: { ok: false, error: "token_revoked" } });
    await startShipping(project, { runId: "broken", steps: [{ id: "a", run: "false" }] });
    await catchUp();
    expect(told.at(-1)).toContain("slack has stopped: Slack refused chat.postMessage: token_revoked.");
    expect(told.join("\n")).not.toContain(TOKEN);
    await catchUp();
    expect(got.at(-1)?.json["text"]).toContain("Run broken failed");
  });

  it("takes messages without buttons at an incoming webhook", async () => {
    const hook = await startService(() => ({ body: "ok" }));
    const env = { SLACK_BOT_TOKEN: "", SLACK_WEBHOOK_URL: `${hook.url}/services/T/B/x` };
    const { project, catchUp } = await connected({ env });
    await startShipping(project);
    await catchUp();
    expect(hook.got.length).toBe(1);
    expect(hook.got[0]?.headers["authorization"]).toBeUndefined();
    expect(buttonsIn(hook.got[0]!)).toEqual([]);
    expect(hook.got[0]?.text).toContain("checkpoint approve r");
  });

  it("is told of violations and requests of a governed project", async () => {
    const { project, got, catchUp } = await connected();
    const yaml = `integrations:\n  slack: { channel: ${CHANNEL}, approvers: { U1: ann } }\n`;
    writeFileSync(join(project.root, "cairn.yaml"), `governance: on\n${yaml}`);
    await verbs.now(project, { notes: "before" });
    const acting = verbs.openProject({ path: project.root, agent: "bot", env: project.env });
    await expect(verbs.goal(acting, { goal: "Ship it" })).rejects.toThrow(/it needs T1/);
    await acting.stores.close();
    await catchUp();
    expect(got.map(({ json }) => json["text"])).toEqual([expect.stringMatching(/^Violation: bot /)]);
    expect((await verbs.ledgerVerify(project, [])).problem).toBeUndefined();
  });
});
