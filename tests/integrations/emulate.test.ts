import { createEmulator } from "emulate";
import { createServer } from "node:net";
import { expect, it } from "vitest";
import * as verbs from "../../src/doors/library/project.ts";
import { commitAll, useProjects } from "../feed/support/project.ts";
import { checkOut, startShipping } from "./support/runs.ts";
import { configure, openFollowing, withEnv } from "./support/world.ts";

const makeProject = useProjects();

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => void server.close(resolve));
  return port;
}

it("shows a run on an emulated GitHub, as one check run", async () => {
  const emulator = await createEmulator({ service: "github", port: await freePort() });
  try {
    const api = emulator.url;
    const authorization = "Bearer test_token_admin";
    const call = async (path: string, body?: object) => {
      const headers = { authorization, "content-type": "application/json" };
      const request = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
      const answer = await fetch(`${api}${path}`, { ...request, headers });
      return (await answer.json()) as Record<string, unknown>;
    };
    const { full_name } = await call("/user/repos", { name: "shop", auto_init: true });
    expect(full_name).toEqual(expect.stringContaining("/shop"));
    const branch = await call(`/repos/${String(full_name)}/branches/main`);
    const { sha } = branch["commit"] as { sha: string };
    const project = withEnv(makeProject(), { GITHUB_TOKEN: "test_token_admin", GITHUB_API_URL: api });
    checkOut(project, sha);
    await commitAll(project, ["before"]);
    await configure(project, `github: { repository: ${String(full_name)} }`);
    const { catchUp } = await openFollowing(project);
    await startShipping(project);
    await catchUp();
    await verbs.answer(project, { run: "r", approved: true });
    await catchUp();
    const { check_runs } = (await call(`/repos/${String(full_name)}/commits/${sha}/check-runs`)) as {
      check_runs: { external_id: string; name: string; status: string }[];
    };
    expect(check_runs).toMatchObject([
      { external_id: "r", name: "checkpoint: shipping", status: "in_progress" },
    ]);
  } finally {
    await emulator.close();
  }
});
