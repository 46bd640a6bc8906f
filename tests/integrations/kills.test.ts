import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { start, type Child } from "../faults/support/child.ts";
import { useFolders } from "../faults/support/folders.ts";
import { bundleFile } from "../faults/support/program.ts";
import { report, scaled, TIMEOUT_MS } from "../faults/support/scale.ts";
import { commitAll, told, useProjects } from "../feed/support/project.ts";
import { APP_TOKEN, REPOSITORY, startGithub } from "./support/github-fixture.ts";
import { checkOut, SHA, startShipping } from "./support/runs.ts";
import { configure, openFollowing, startService, withEnv } from "./support/world.ts";

const KILLS = scaled(12, 500);
const SECRET = { CHECKPOINT_WEBHOOK_SECRET: "whsec_c2VjcmV0" };

const makeProject = useProjects();
const folders = useFolders();

it(
  "misses no event, and repeats at most one a kill, though it is killed between receipt and acknowledgement",
  async () => {
    const project = withEnv(makeProject(), SECRET);
    let teller: Child<never> | undefined;
    let strikes = 0;
    let isStriking = true;
    const { url, got } = await startService(async () => {
      if (!isStriking) return {};
      // Now before the answer, now at the same time, so that it may come before, while or after it acknowledges.
      strikes++;
      const when = strikes % 3;
      if (when === 0) teller?.kill();
      else setTimeout(() => teller?.kill(), when * 2);
      return {};
    });
    await commitAll(project, ["before"]);
    await configure(project, `webhooks:\n  - { name: deploy, url: "${url}", kinds: [commit] }`);
    const { world } = await openFollowing(project);
    const program = bundleFile(join(import.meta.dirname, "programs/teller.ts"), folders.onDisk());
    const start1 = () => start<never>(program, [project.root], { env: SECRET });
    for (let kill = 0; kill < KILLS; kill++) {
      await commitAll(project, [`${kill} a`, `${kill} b`]);
      teller = start1();
      await teller.ended();
    }
    isStriking = false;
    teller = start1();
    const all = (await told(project)).slice(1).map(({ id }) => id);
    const ids = () => got.map(({ headers }) => headers["webhook-id"] ?? "");
    for (let tries = 0; tries < 600 && new Set(ids()).size < all.length; tries++) await wait(100);
    // Whatever it would repeat, it has repeated by now.
    await wait(500);
    teller.kill();
    await teller.ended();
    expect(world).toBeDefined();
    expect(all.length).toBe(KILLS * 2);
    expect(all.filter((id) => !ids().includes(id))).toEqual([]);
    const repeats = ids().length - new Set(ids()).size;
    expect(strikes).toBeGreaterThanOrEqual(KILLS);
    expect(repeats).toBeGreaterThan(0);
    expect(repeats).toBeLessThanOrEqual(KILLS);
    report(
      `${KILLS} kills: ${all.length} events, 0 missed, ${repeats} sent twice, with the same id`,
      "what tells webhooks is killed",
    );
  },
  TIMEOUT_MS,
);

it(
  "makes no check and no comment twice, though it is killed while it makes them",
  async () => {
    let teller: Child<never> | undefined;
    let strikes = 0;
    let isStriking = true;
    const github = await startGithub(({ method, path }) => {
      if (!isStriking || method !== "POST") return;
      strikes++;
      const when = strikes % 4;
      if (when === 0) teller?.kill();
      else setTimeout(() => teller?.kill(), when * 4);
      expect(path).toMatch(/check-runs|comments/);
    });
    github.commits.add(SHA);
    github.pulls.push({ number: 5, state: "open", head: { sha: SHA, repo: { full_name: REPOSITORY } } });
    const env = { GITHUB_TOKEN: APP_TOKEN, GITHUB_API_URL: github.url, GITHUB_WEBHOOK_SECRET: "unused" };
    const project = withEnv(makeProject(), env);
    checkOut(project, SHA);
    await commitAll(project, ["before"]);
    await configure(project, `github: { repository: ${REPOSITORY} }`);
    await openFollowing(project);
    const program = bundleFile(join(import.meta.dirname, "programs/teller.ts"), folders.onDisk());
    const launch = () => (teller = start<never>(program, [project.root], { env }));
    for (let kill = 0; kill < KILLS; kill++) {
      // Each makes a check and a comment: every other kill strikes at the one, and every other at the other.
      if (kill % 2 === 0)
        await startShipping(project, { runId: `r${kill}`, steps: [{ id: "a", run: "true" }] });
      await launch().ended();
    }
    isStriking = false;
    const last = launch();
    const made = () => [
      github.checks.map(({ external_id }) => external_id),
      github.comments.map(({ body }) => body.split("\n")[0]),
    ];
    for (let tries = 0; tries < 600 && (made()[1]?.length ?? 0) < KILLS / 2; tries++) await wait(100);
    await wait(500);
    last.kill();
    await last.ended();
    expect(strikes).toBeGreaterThanOrEqual(KILLS);
    for (const all of made()) {
      expect(all.length).toBe(KILLS / 2);
      expect(new Set(all).size).toBe(KILLS / 2);
    }
    expect(github.checks.every(({ status }) => status === "completed")).toBe(true);
    report(
      `${KILLS} kills while checks and comments were made: none made twice, none missing`,
      "what tells GitHub is killed",
    );
  },
  TIMEOUT_MS,
);
