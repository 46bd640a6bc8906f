import { cpSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findUnrecorded } from "../../src/capabilities/governance/gate/find-unrecorded.ts";
import { defineWorkflow } from "../../src/capabilities/workflow/definition/define-workflow.ts";
import { startRun } from "../../src/capabilities/workflow/runner/start-run.ts";
import { openRuns } from "../../src/capabilities/workflow/verbs/open-runs.ts";
import * as verbs from "../../src/doors/library/project.ts";
import { OpenStores } from "../../src/work/project/open-stores.ts";
import { commitAll, notesIn, openAt, storeOf, told, types, useProjects } from "./support/project.ts";

const makeProject = useProjects();

describe("the feed", () => {
  it("tells commits of all trails in their order, each with an id of its own", async () => {
    const project = makeProject();
    await commitAll(project, ["a", "b"]);
    await commitAll(project, ["c"], "other");
    await commitAll(project, ["d"]);
    const events = await told(project);
    expect(notesIn(events)).toEqual(["a", "b", "c", "d"]);
    expect(events.map(({ trail }) => trail)).toEqual(["main", "main", "other", "main"]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(4);
    expect(await told(project)).toEqual(events);
  });

  it("goes on behind the cursor of any event", async () => {
    const project = makeProject();
    await commitAll(project, ["a", "b", "c"]);
    const events = await told(project);
    for (const [index, { cursor }] of events.entries())
      expect(await told(project, { after: cursor })).toEqual(events.slice(index + 1));
  });

  it("tells a consumer what it has not acknowledged, and others everything", async () => {
    const project = makeProject();
    await commitAll(project, ["a", "b", "c"]);
    const feed = await verbs.openFeed(project, { as: "bot" });
    for await (const event of feed) {
      if (notesIn([event])[0] === "b") break;
      await feed.acknowledge(event);
    }
    expect(notesIn(await told(project, { as: "bot" }))).toEqual(["b", "c"]);
    expect(notesIn(await told(project, { as: "other" }))).toEqual(["a", "b", "c"]);
  });

  it("keeps cursors as no event, and in no trail that is shown", async () => {
    const project = makeProject();
    await commitAll(project, ["a"]);
    const [event] = await told(project);
    const trails = await verbs.trails(project, {});
    await verbs.eventsAck(project, { cursor: String(event?.cursor), as: "bot" });
    await verbs.eventsAck(project, { cursor: String(event?.cursor), as: "bot" });
    expect(await told(project)).toEqual([event]);
    expect(await told(project, { as: "bot" })).toEqual([]);
    expect(await verbs.trails(project, {})).toEqual(trails);
    expect((await verbs.verify(project, {})).damage).toEqual([]);
  });

  it("tells all events of a commit again to one who acknowledged the first only", async () => {
    const project = makeProject();
    await shippingRun(project);
    const [first, ...rest] = await told(project);
    expect(types(rest).slice(0, 1)).toEqual(["run-started"]);
    expect(await told(project, { after: first?.cursor })).toEqual([first, ...rest]);
    expect(await told(project, { after: rest[0]?.cursor })).toEqual(rest.slice(1));
  });

  it("tells what happened in runs, also to those who want nothing else", async () => {
    const project = makeProject();
    await shippingRun(project);
    await verbs.answer(project, { run: "r", approved: true });
    const run = await told(project, { kinds: ["run"] });
    expect(types(run)).toEqual(["run-started", "step-completed", "run-ended"]);
    expect(run[1]).toMatchObject({ kind: "run", run: "r", details: { step: "plan" }, trail: "run/r" });
    expect(types(await told(project, { kinds: ["approval"] }))).toEqual([
      "approval-asked",
      "approval-decided",
    ]);
    const all = await told(project);
    expect(all.filter(({ kind }) => kind === "run")).toMatchObject(run.map(({ id }) => ({ id })));
  });

  it("tells of a question that a run begins with", async () => {
    const project = makeProject();
    const steps = [{ id: "ship", approve: "Ship it?" }];
    await startRun(await openRuns(project, "create"), defineWorkflow({ name: "asking", steps }), {
      runId: "r",
    });
    expect(types(await told(project, { kinds: ["approval"] }))).toEqual(["approval-asked"]);
  });

  it("tells when sessions start and end", async () => {
    const project = makeProject();
    const { stores, ...rest } = project;
    const send = (name: string, more: object = {}) =>
      verbs.sessionEvent(
        { ...rest, stores },
        { hook_event_name: name, session_id: "s1", cwd: project.root, ...more },
        { env: project.env, cwd: project.root, eventId: name, parentPid: process.pid, client: "claude" },
      );
    await send("SessionStart", { source: "startup" });
    await send("UserPromptSubmit", { prompt: "Fix the login page" });
    await send("SessionEnd", { reason: "exit" });
    const events = await told(project, { kinds: ["session"] });
    expect(types(events)).toEqual(["session-started", "session-prompted", "session-ended"]);
    expect(events[0]).toMatchObject({ session: "s1", client: "claude-code", trail: "session/s1" });
  });

  it("tells violations from the ledger, in its order, after which a cursor goes on", async () => {
    const project = makeProject();
    writeFileSync(join(project.root, "cairn.yaml"), "governance: on\n");
    await verbs.now(project, { notes: "before" });
    for (const agent of ["bot", "planner"]) {
      const acting = verbs.openProject({ path: project.root, agent, env: project.env });
      await expect(verbs.goal(acting, { goal: "Ship it" })).rejects.toThrow(/it needs T1/);
      await acting.stores.close();
    }
    const events = await told(project, { kinds: ["violation", "approval"] });
    expect(events.length).toBeGreaterThan(1);
    const numbers = events.map((event) => ("details" in event ? Number(event.details["number"]) : 0));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(await told(project, { kinds: ["violation", "approval"], after: events[0]?.cursor })).toEqual(
      events.slice(1),
    );
    expect(await told(project, { after: events.at(-1)?.cursor, kinds: ["violation"] })).toEqual([]);
  });

  it("keeps cursors of a governed store, which the ledger knows nothing of, without a finding", async () => {
    const project = makeProject();
    writeFileSync(join(project.root, "cairn.yaml"), "governance: on\n");
    await verbs.now(project, { notes: "before" });
    await told(project, { as: "bot", kinds: ["violation"] });
    const { store } = await project.stores.open(project, "write", null);
    expect((await store.trails({ prefix: ".feed" })).length).toBe(1);
    expect((await findUnrecorded(store)).unrecorded).toEqual([]);
  });

  it("does not read again and again what a consumer of rare events does not want", async () => {
    const project = makeProject();
    await commitAll(project, ["a", "b"]);
    await told(project, { as: "rare", kinds: ["violation"] });
    expect(notesIn(await told(project, { as: "rare" }))).toEqual([]);
    await commitAll(project, ["c"]);
    expect(notesIn(await told(project, { as: "rare" }))).toEqual(["c"]);
  });

  it("waits for what comes, until it is told to stop", async () => {
    const project = makeProject();
    await commitAll(project, ["a"]);
    const stop = new AbortController();
    const seen: (string | null)[] = [];
    for await (const event of await verbs.openFeed(project, { follow: true, signal: stop.signal })) {
      seen.push(...notesIn([event]));
      if (seen.length === 1) await commitAll(project, ["b"]);
      else stop.abort();
    }
    expect(seen).toEqual(["a", "b"]);
  });
});

describe("a cursor of a store that changed behind it", () => {
  it("says that checkpoints were pruned, and goes on with the oldest that is kept", async () => {
    const project = makeProject();
    await commitAll(project, ["a", "b", "c", "d"]);
    const [, second] = await told(project);
    const store = await storeOf(project);
    await store.remove({ checkpoints: (await store.history("main", { skip: 1 })).map(({ id }) => id) });
    const events = await told(project, { after: second?.cursor });
    expect(types(events)).toEqual(["pruned", "committed"]);
    expect(notesIn(events)).toEqual(["d"]);
  });

  it("says so too where its own checkpoint was kept", async () => {
    const project = makeProject();
    await commitAll(project, ["a", "b", "c", "d"]);
    const [, second] = await told(project);
    const store = await storeOf(project);
    const [, c] = await store.history("main");
    await store.remove({ checkpoints: [c?.id as never] });
    const events = await told(project, { after: second?.cursor });
    expect(types(events)).toEqual(["pruned", "committed"]);
    expect(types(await told(project, { after: events.at(-1)?.cursor }))).toEqual([]);
  });

  it("says nothing where all that was pruned had been seen", async () => {
    const project = makeProject();
    await commitAll(project, ["a", "b", "c"]);
    const [, second] = await told(project);
    const store = await storeOf(project);
    const [, , a] = await store.history("main");
    await store.remove({ checkpoints: [a?.id as never] });
    expect(types(await told(project, { after: second?.cursor }))).toEqual(["committed"]);
  });

  it("says that the store was restored, and tells everything from the oldest on", async () => {
    const project = makeProject();
    await commitAll(project, ["a", "b"]);
    await project.stores.close();
    const copy = join(project.root, "copy");
    cpSync(project.folder, copy, { recursive: true });
    const later = openAt(project.root);
    await commitAll(later, ["c"]);
    const seen = await told(later);
    await later.stores.close();
    replace(project.folder, copy);
    const restored = openAt(project.root);
    // The number of what was lost is given again.
    await commitAll(restored, ["other c", "other d"]);
    const events = await told(restored, { after: seen.at(-1)?.cursor });
    expect(types(events)[0]).toBe("restored");
    expect(notesIn(events)).toEqual(["a", "b", "other c", "other d"]);
    await restored.stores.close();
  });

  it("says so to a follower under whose feet it is restored", async () => {
    const project = makeProject();
    await commitAll(project, ["a"]);
    await project.stores.close();
    const copy = join(project.root, "copy");
    cpSync(project.folder, copy, { recursive: true });
    const following = { ...openAt(project.root), stores: new OpenStores({ reopens: true }) };
    await commitAll(following, ["b"]);
    const stop = new AbortController();
    const seen: string[] = [];
    for await (const event of await verbs.openFeed(following, { follow: true, signal: stop.signal })) {
      seen.push(event.kind === "commit" ? String(event.checkpoint.notes) : event.type);
      if (seen.length === 2) replace(project.folder, copy);
      if (seen.length === 4) stop.abort();
    }
    await following.stores.close();
    expect(seen).toEqual(["a", "b", "restored", "a"]);
  });

  it("is refused if it is none", async () => {
    const project = makeProject();
    await commitAll(project, ["a"]);
    for (const after of ["", "1", "x.y.z.", "1.AAAA.0.", "-1..0.", `1.${"A".repeat(43)}.0`])
      await expect(verbs.openFeed(project, { after })).rejects.toThrow(/is not a cursor/);
    await expect(verbs.openFeed(project, { as: "../x" })).rejects.toThrow(/cannot name a consumer/);
  });
});

/** A run that waits for an answer. */
async function shippingRun(project: Parameters<typeof told>[0]): Promise<void> {
  const steps = [
    { id: "plan", run: "echo planned" },
    { id: "ship", approve: "Ship it?" },
  ];
  await startRun(await openRuns(project, "create"), defineWorkflow({ name: "shipping", steps }), {
    runId: "r",
  });
}

function replace(folder: string, copy: string): void {
  for (const name of readdirSync(folder)) if (name.startsWith("store")) rmSync(join(folder, name));
  cpSync(copy, folder, { recursive: true });
}
