import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { Sandbox } from "../cli/support/sandbox.ts";
import { AgentClient } from "../mcp/support/agent-client.ts";
import { findPostgres, startServer, type TestServer } from "./support/server.ts";

const programs = findPostgres();

describe.skipIf(programs === undefined)("the store that cairn.yaml names", () => {
  let server: TestServer;
  const box = new Sandbox();
  beforeAll(async () => {
    server = await startServer(programs as string);
    box.write("cairn.yaml", "store: { url_env: TEAM_STORE, schema: team }\n");
  });
  afterAll(async () => {
    await server?.stop();
    box.remove();
  });

  const run = (args: readonly string[], input = "") =>
    box.run(args, { input, env: { TEAM_STORE: server.url } });
  const json = (...args: string[]) => JSON.parse(run([...args, "--json"]).stdout) as Record<string, unknown>;

  it("is used by commands, hooks, servers and steps once the user has accepted it", async () => {
    const early = run(["now", "--notes", "before"]);
    expect(early.status).toBe(0);
    expect(early.stderr).toContain("checkpoint config --accept-store");
    expect(existsSync(join(box.folder, ".cairn/store.sqlite"))).toBe(true);

    const accepting = run(["config", "--accept-store"]);
    expect(accepting.stderr).not.toContain("NOT used");
    expect(accepting.stderr).toContain("goes to the store in $TEAM_STORE, schema team");
    expect(run(["now"]).stderr).toContain("checkpoint store migrate");
    run(["store", "migrate"]);
    run(["now", "--notes", "after"]);
    expect(json("store", "status")).toMatchObject({ kind: "shared", trails: 1 });

    const event = { session_id: "s-1", cwd: box.folder, hook_event_name: "UserPromptSubmit", prompt: "Go" };
    expect(run(["hook"], JSON.stringify(event)).status).toBe(0);
    const agent = await AgentClient.connect(box, { env: { TEAM_STORE: server.url } });
    await agent.call("goal", { goal: "Ship the login page", trail: "main" });
    await agent.close();
    const names = (json("trails")["trails"] as { name: string }[]).map(({ name }) => name);
    expect(names.toSorted()).toEqual(["main", "session/s-1"]);
    expect(json("load", "--trail", "main")).toMatchObject({ goal: "Ship the login page" });

    box.write("look.yaml", 'name: look\nsteps:\n  - id: look\n    run: test -z "$TEAM_STORE"\n');
    expect(run(["run", "look.yaml", "--local"]).status).toBe(0);
  });

  it("is asked for again when the project names another, and missed when its variable is not set", () => {
    const unset = box.run(["now"]);
    expect(unset.status).toBe(4);
    expect(unset.stderr).toContain("export TEAM_STORE=postgres://");
    expect(box.run(["config"]).status).toBe(0);
    box.write("cairn.yaml", "store: { url_env: TEAM_STORE, schema: other }\n");
    expect(run(["now"]).stderr).toContain("checkpoint config --accept-store");
  });

  it.each([
    "postgres://me:s3cret@db/x",
    "{ url: 'postgres://me:s3cret@db/x' }",
    "{ url_env: 'postgres://me:s3cret@db/x' }",
  ])("is never a URL: %s", (store) => {
    box.write("cairn.yaml", `store: ${store}\n`);
    const { status, stdout, stderr } = run(["now"]);
    expect(status).toBe(2);
    expect(stderr).toContain("store: { url_env: CAIRN_STORE_URL }");
    expect(stdout + stderr).not.toContain("s3cret");
  });
});
