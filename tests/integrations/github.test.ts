import { createHmac } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { githubIntegration } from "../../src/capabilities/github/github.ts";
import { follow } from "../../src/capabilities/integrations/follow.ts";
import { until } from "../cli/support/until.ts";
import type { Incoming, Receiver } from "../../src/capabilities/integrations/integration.ts";
import { listen } from "../../src/capabilities/integrations/listen.ts";
import * as verbs from "../../src/doors/library/project.ts";
import type { Project } from "../../src/work/project/project.ts";
import { commitAll, useProjects } from "../feed/support/project.ts";
import { APP_TOKEN, PERSONAL_TOKEN, REPOSITORY, startGithub } from "./support/github-fixture.ts";
import { checkOut, SHA, startShipping } from "./support/runs.ts";
import { configure, openFollowing, withEnv } from "./support/world.ts";

const makeProject = useProjects();
const SECRET = "the webhook's secret";
const ANN = { id: 7, login: "ann-on-github" };

async function connected({ token = APP_TOKEN, env = {} } = {}) {
  const github = await startGithub();
  github.commits.add(SHA);
  github.pulls.push({ number: 5, state: "open", head: { sha: SHA, repo: { full_name: REPOSITORY } } });
  const project = withEnv(makeProject(), {
    GITHUB_TOKEN: token,
    GITHUB_API_URL: github.url,
    GITHUB_WEBHOOK_SECRET: SECRET,
    ...env,
  });
  checkOut(project, SHA);
  await commitAll(project, ["before"]);
  await configure(project, `github: { repository: ${REPOSITORY}, approvers: { "${ANN.id}": ann } }`);
  const following = await openFollowing(project);
  const receive = (await following.all.find(({ name }) => name === "github")!.receiver!(following.world))!;
  return { project, github, ...following, receive };
}

describe("a run on GitHub", () => {
  it("is a check run on its commit, with its steps, found again after the record of it was lost", async () => {
    const { project, github, catchUp } = await connected();
    await startShipping(project);
    await catchUp();
    expect(github.checks).toMatchObject([
      {
        name: "checkpoint: shipping",
        head_sha: SHA,
        external_id: "r",
        status: "in_progress",
        output: { title: "1 of 2 steps, waits for approval of ship" },
      },
    ]);
    expect(github.checks[0]?.output.summary).toContain("| plan | completed |");
    const known = await import("../../src/capabilities/github/kept.ts");
    await known.writeKnown(project, "r", null);
    await verbs.answer(project, { run: "r", approved: false, reason: "no" });
    await catchUp();
    expect(github.checks.length).toBe(1);
    expect(github.checks[0]).toMatchObject({
      external_id: "r",
      output: { title: "1 of 2 steps, was answered and waits to be resumed" },
    });
    expect(github.comments.length).toBe(1);
  });

  it("is a commit status with a personal token", async () => {
    const { project, github, catchUp } = await connected({ token: PERSONAL_TOKEN });
    await startShipping(project, { steps: [{ id: "a", run: "true" }] });
    await catchUp();
    expect(github.checks).toEqual([]);
    expect(github.statuses.at(-1)).toEqual({
      sha: SHA,
      state: "success",
      context: "checkpoint: shipping",
      description: "r: 1 of 1 steps, completed",
    });
  });

  it("is one comment on the pull request, kept current, that mentions nobody", async () => {
    const { project, github, catchUp } = await connected();
    const steps = [{ id: "ship", approve: "Ship it, @everyone? <img src=x> [x](http://evil)" }];
    await startShipping(project, { steps });
    await catchUp();
    expect(github.comments.length).toBe(1);
    const asked = github.comments[0]?.body ?? "";
    const [visible = ""] = asked.split("<details>");
    expect(visible).toContain("`/approve r`");
    expect(visible).not.toMatch(/@everyone|<img|\[x\]\(/);
    await verbs.answer(project, { run: "r", approved: true });
    await startShipping(project, { runId: "other", steps: [{ id: "a", run: "true" }] });
    await catchUp();
    expect(github.comments.length).toBe(2);
  });

  it("moves to the commit that it continues on", async () => {
    const { project, github, catchUp } = await connected();
    const steps = [
      { id: "ship", approve: "Ship it?" },
      { id: "done", run: "true" },
    ];
    await startShipping(project, { steps });
    await catchUp();
    const next = "f".repeat(40);
    github.commits.add(next);
    const { resumeRun } = await import("../../src/capabilities/workflow/runner/resume-run.ts");
    const { openRuns } = await import("../../src/capabilities/workflow/verbs/open-runs.ts");
    await verbs.answer(project, { run: "r", approved: true });
    checkOut(project, next);
    await resumeRun(await openRuns(project, "write"), "r");
    await catchUp();
    const [old, now] = github.checks;
    expect(old).toMatchObject({ head_sha: SHA, status: "completed", conclusion: "neutral" });
    expect(now).toMatchObject({ head_sha: next, conclusion: "success" });
    expect(github.checks.length).toBe(2);
  });

  it("asks once in two seconds at most for a run of 300 steps, and shows the last state exactly", async () => {
    const began = Date.parse("2026-11-19T10:00:00Z");
    let ms = began;
    const { project, github, world } = await connected();
    const steps = Array.from({ length: 300 }, (_, index) => ({ id: `s${index}`, run: "true", needs: [] }));
    const stop = new AbortController();
    const paced = {
      ...world,
      signal: stop.signal,
      project: { ...project, now: () => new Date(ms) },
      wait: async (waited: number) => {
        ms += waited;
        await new Promise((over) => setTimeout(over, 5));
      },
    };
    const [outlet] = await githubIntegration.outlets(paced);
    const telling = follow(paced, outlet!);
    await startShipping(project, { steps });
    await until("the last state", () => github.checks[0]?.status === "completed");
    stop.abort();
    await telling;
    expect(github.checks).toMatchObject([
      { status: "completed", conclusion: "success", output: { title: "300 of 300 steps, completed" } },
    ]);
    expect(github.checks[0]?.output.summary).toContain("| s299 | completed |");
    expect(github.got.length).toBeGreaterThan(3);
    expect(ms - began).toBeGreaterThanOrEqual((github.got.length - 1) * 2000);
    expect(github.got.length).toBeLessThan(300);
  }, 120_000);

  it("fits GitHub's limits with a thousand long steps", async () => {
    const { reportOf } = await import("../../src/capabilities/github/run-words.ts");
    const { stepsTable, fitting } = await import("../../src/capabilities/github/markdown.ts");
    expect(reportOf).toBeDefined();
    const steps = Array.from({ length: 1000 }, (_, index) => ({
      id: `step-${index}`,
      status: index === 999 ? "failed" : "completed",
      words: "😀".repeat(100),
    }));
    const table = fitting(stepsTable(steps));
    expect(Buffer.byteLength(table)).toBeLessThan(65_535);
    expect(table).toContain("| step-999 | failed |");
    expect(table).toMatch(/\d+ more steps/);
  });

  it("waits where GitHub sets a limit, and stops where the token is wrong", async () => {
    const { project, github, waits, told, catchUp } = await connected();
    await startShipping(project, { steps: [{ id: "a", run: "true" }] });
    const reset = {
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": String(Math.floor(Date.now() / 1000) + 90),
    };
    github.next.push({ status: 403, headers: { "retry-after": "120" } }, { status: 403, headers: reset });
    await catchUp();
    const long = waits.filter((ms) => ms > 5000);
    expect(long[0]).toBe(120_000);
    expect(long[1]).toBeGreaterThan(80_000);
    expect(github.checks).toMatchObject([{ conclusion: "success" }]);
    github.next.push({ status: 401, body: { message: "Bad credentials" } });
    await startShipping(project, { runId: "second", steps: [{ id: "a", run: "true" }] });
    await catchUp();
    expect(told.at(-1)).toContain("github has stopped: GitHub answered 401: Bad credentials.");
    await catchUp();
    expect(github.checks.length).toBe(2);
    expect(told.join("\n")).not.toContain(APP_TOKEN);
  });

  it("is put aside while its commit is not pushed, and shown by resend afterwards", async () => {
    const { project, github, catchUp } = await connected();
    github.commits.clear();
    await startShipping(project, {
      steps: [
        { id: "a", run: "true" },
        { id: "b", run: "true" },
      ],
    });
    await catchUp();
    expect((await verbs.integrationsDead(project)).letters.length).toBe(1);
    github.commits.add(SHA);
    expect(await verbs.integrationsResend(project)).toEqual({ sent: 1, left: 0 });
    expect(github.checks).toMatchObject([{ conclusion: "success" }]);
  });
});

interface Comment {
  readonly text?: string;
  readonly user?: object;
  readonly id?: number;
  readonly at?: string;
  readonly edited?: string;
  readonly repository?: string;
}

let deliveries = 0;

const commentEvent = ({
  text = "/approve r",
  user = ANN,
  id = 900,
  at,
  edited,
  repository,
}: Comment = {}) => {
  const created_at = at ?? new Date().toISOString();
  return {
    action: "created",
    repository: { full_name: repository ?? REPOSITORY },
    issue: { number: 5 },
    comment: { id, user, body: text, created_at, updated_at: edited ?? created_at },
  };
};

function delivery(
  payload: object,
  { secret = SECRET, event = "issue_comment", id = `d${deliveries++}` } = {},
): Incoming {
  const body = Buffer.from(JSON.stringify(payload));
  const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  return {
    headers: { "x-hub-signature-256": signature, "x-github-event": event, "x-github-delivery": id },
    body,
  };
}

async function standsAt(project: Project): Promise<string> {
  const { state } = await verbs.load(project, { trail: "run/r" });
  return (state["run"] as { status: string }).status;
}

const decisionOf = async (project: Project) => {
  const { state } = await verbs.load(project, { trail: "run/r" });
  return (state["run"] as { steps: { decision?: object }[] }).steps.find(({ decision }) => decision)
    ?.decision;
};

describe("an approval from GitHub", () => {
  const asked = async () => {
    const all = await connected();
    await startShipping(all.project);
    return all;
  };

  it("is a comment of an approver, recorded under the configured name with the account", async () => {
    const { project, receive } = await asked();
    expect(await receive(delivery(commentEvent()))).toEqual({
      status: 202,
      told: "Approved ship of r, by ann.",
    });
    expect(await decisionOf(project)).toMatchObject({
      approved: true,
      by: "ann",
      identity: "asked by GitHub account ann-on-github (7)",
    });
  });

  it("is a review of the commit that the run is at", async () => {
    const { receive } = await asked();
    const review = (commit_id: string, id: number) => ({
      action: "submitted",
      repository: { full_name: REPOSITORY },
      pull_request: { number: 5 },
      review: {
        id,
        user: ANN,
        body: "/reject r too early",
        submitted_at: new Date().toISOString(),
        commit_id,
      },
    });
    const event = "pull_request_review";
    expect((await receive(delivery(review("e".repeat(40), 1), { event }))).told).toBe(
      "Refused reject r by ann-on-github: the review is of another commit.",
    );
    expect((await receive(delivery(review(SHA, 2), { event }))).told).toBe("Rejected ship of r, by ann.");
  });

  it.each<[string, Comment, string]>([
    ["a stranger", { user: { id: 8, login: "ann-on-github" } }, "the account is not among the approvers"],
    [
      "an account named as a property",
      { user: { id: "__proto__", login: "x" } },
      "the account is not among the approvers",
    ],
    ["an edited comment", { edited: "2099-01-01T00:00:00Z" }, "it was edited"],
    [
      "a comment from before the question",
      { at: "2020-01-01T00:00:00Z" },
      "it was written before the question",
    ],
    ["a run that is not there", { text: "/approve other" }, "There is no run"],
  ])("is refused to %s", async (_who, comment, why) => {
    const { project, receive } = await asked();
    expect((await receive(delivery(commentEvent(comment)))).told).toContain(why);
    expect(await standsAt(project)).toBe("awaiting_approval");
  });

  it.each(["> /approve r", "Please /approve r", "<!-- x -->\n/approve r", "/approve", "/approver r"])(
    "is not seen in %j",
    async (text) => {
      const { project, receive } = await asked();
      expect(await receive(delivery(commentEvent({ text })))).toEqual({ status: 202 });
      expect(await standsAt(project)).toBe("awaiting_approval");
    },
  );

  it("is refused on a pull request from a fork, a closed one, and one whose head has moved", async () => {
    const { project, github, receive } = await asked();
    const [pull] = github.pulls;
    const tell = async (id: number) => (await receive(delivery(commentEvent({ id })))).told;
    pull!.head.repo.full_name = "mallory/shop";
    expect(await tell(1)).toContain("comes from a fork");
    pull!.head.repo.full_name = REPOSITORY;
    pull!.state = "closed";
    expect(await tell(2)).toContain("is closed");
    pull!.state = "open";
    pull!.head.sha = "a".repeat(40);
    expect(await tell(3)).toContain("not at the head");
    expect(await standsAt(project)).toBe("awaiting_approval");
  });

  it("is refused where it was forged, and does nothing where it comes again", async () => {
    const { project, receive } = await asked();
    const forged = await receive(delivery(commentEvent(), { secret: "guessed" }));
    expect(forged).toEqual({ status: 401, told: "Refused a request to /github: its signature is wrong." });
    expect((await receive({ headers: {}, body: Buffer.from("{}") })).status).toBe(401);
    expect((await receive(delivery(commentEvent({ repository: "mallory/shop" })))).told).toContain(
      "another repository",
    );
    const stranger = commentEvent({ user: { id: 8, login: "eve" } });
    await receive(delivery(stranger, { id: "same" }));
    expect((await receive(delivery(stranger, { id: "same" }))).told).toContain("came again");
    // The id of a delivery is not signed: another one does not make it new.
    expect((await receive(delivery(stranger, { id: "other" }))).told).toContain("dealt with before");
    expect(await standsAt(project)).toBe("awaiting_approval");
  });

  it("is tried again where GitHub could not be asked", async () => {
    const { github, receive } = await asked();
    github.next.push({ status: 502 });
    await expect(receive(delivery(commentEvent(), { id: "x" }))).rejects.toThrow("GitHub answered 502");
    expect((await receive(delivery(commentEvent(), { id: "x" }))).told).toBe("Approved ship of r, by ann.");
  });

  it("is not taken by what an agent started", async () => {
    const { project, all, world } = await asked();
    const agents = {
      ...world,
      project: { ...project, actor: { ...project.actor, agentId: "bot", signature: "agent:bot" } },
    };
    const receive = (await all.find(({ name }) => name === "github")!.receiver!(agents))!;
    expect((await receive(delivery(commentEvent()))).told).toBe(
      "Refused approve r by ann-on-github: bot started this, and cannot vouch for a person.",
    );
    expect(await standsAt(project)).toBe("awaiting_approval");
  });

  it("asks the gate of a governed project, and is in its ledger", async () => {
    const { project, github } = await asked();
    const file = join(project.root, "cairn.yaml");
    writeFileSync(file, `governance: on\n${readFileSync(file, "utf8")}`);
    const governed = withEnv(project, {});
    const { all, world } = await openFollowing(governed);
    const receive = (await all.find(({ name }) => name === "github")!.receiver!(world))!;
    expect((await receive(delivery(commentEvent()))).told).toBe("Approved ship of r, by ann.");
    expect(github.pulls.length).toBe(1);
    expect(JSON.stringify(await verbs.ledger(governed, {}))).toContain("answer.run");
    expect((await verbs.ledgerVerify(governed, [])).problem).toBeUndefined();
  });

  it("needs the run's whole name", async () => {
    const { project, receive } = await connected();
    await startShipping(project, { runId: "release-1" });
    const beginning = commentEvent({ text: "/approve release" });
    expect((await receive(delivery(beginning))).told).toContain('There is no run "release"');
  });

  it("is fetched where no webhook can arrive", async () => {
    const { project, github, all, world } = await asked();
    let rounds = 0;
    const stop = new AbortController();
    const quiet = {
      ...world,
      signal: stop.signal,
      secret: async (name: string) => (name === "GITHUB_WEBHOOK_SECRET" ? undefined : world.secret(name)),
      wait: async (ms: number) => {
        if (ms !== 60_000) return;
        if (++rounds > 2) stop.abort();
        else if (rounds === 1) {
          const { comment } = commentEvent();
          github.comments.push({
            ...comment,
            user: ANN,
            issue_url: "https://api.github.com/repos/example/shop/issues/5",
          });
        }
      },
    };
    const poll = (await all.find(({ name }) => name === "github")!.poller!(quiet))!;
    await poll();
    expect(await decisionOf(project)).toMatchObject({ approved: true, by: "ann" });
  });
});

describe("integrations listen", () => {
  it("refuses what is too large, of another path or method", async () => {
    const { receive } = await connected();
    const told: string[] = [];
    const receivers = new Map<string, Receiver>([["github", receive]]);
    const { port, close } = await listen(receivers, { port: 0, tell: (line) => told.push(line) });
    try {
      const at = (path: string) => `http://127.0.0.1:${port}${path}`;
      expect((await fetch(at("/github"))).status).toBe(405);
      expect((await fetch(at("/other"), { method: "POST" })).status).toBe(404);
      const large = fetch(at("/github"), { method: "POST", body: Buffer.alloc(2 ** 20 + 1) });
      expect((await large.catch(() => ({ status: 413 }))).status).toBe(413);
      expect(told.at(-1)).toContain("Refused a request of more than 1048576 bytes");
      const { headers, body } = delivery(
        { repository: { full_name: REPOSITORY }, zen: "x" },
        { event: "ping" },
      );
      const sent = { method: "POST", headers: headers as Record<string, string>, body: new Uint8Array(body) };
      expect((await fetch(at("/github"), sent)).status).toBe(202);
    } finally {
      await close();
    }
  });
});
