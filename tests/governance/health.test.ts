import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { checkHealth } from "../../src/capabilities/governance/health/health.ts";
import { health } from "../../src/capabilities/governance/project-gate/health.ts";
import { openGovernance } from "../../src/capabilities/governance/project-gate/open-governance.ts";
import { gate } from "../../src/capabilities/governance/project-gate/preflight.ts";
import * as policies from "../../src/capabilities/governance/verbs/policy.ts";
import * as verbs from "../../src/doors/library/project.ts";
import { Governed } from "./support/governed.ts";

const servers: { close(): void }[] = [];
let box: Governed | undefined;
afterEach(async () => {
  for (const server of servers.splice(0)) server.close();
  await box?.remove();
  box = undefined;
});

async function service(isHealthy: () => boolean): Promise<{ port: number; asked: () => number }> {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked++;
    response.writeHead(isHealthy() ? 200 : 500).end();
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, asked: () => asked };
}

const configFor = (port: number) =>
  `governance: on\ndependencies:\n  - { name: api, endpoint: "http://127.0.0.1:${port}/" }\n`;

describe("health", () => {
  it("opens a breaker after three failures, for all processes, and asks no more", async () => {
    let isUp = false;
    const { port, asked } = await service(() => isUp);
    box = new Governed({ config: configFor(port) });
    await verbs.now(box.as(), { notes: "begin" });
    await box.close();
    const before = asked();
    for (const breaker of ["closed", "closed", "open"]) {
      expect((await health(box.as())).dependencies).toMatchObject([{ name: "api", breaker }]);
      await box.close();
    }
    expect(asked() - before).toBe(3);
    isUp = true;
    const { dependencies } = await health(box.as());
    expect(dependencies).toMatchObject([
      { status: "unavailable", breaker: "open", reason: expect.stringContaining("open") },
    ]);
    expect(asked() - before).toBe(3);
  });

  it("tries again after half a minute, and closes", async () => {
    const { port } = await service(() => true);
    const declared = [
      { name: "api", type: "service", endpoint: `http://127.0.0.1:${port}/`, source: "user" as const },
    ];
    const options = { root: "/", env: {}, now: () => Date.now() };
    const opened = {
      api: { ownState: { value: 1, openedAt: Date.now() - 31_000, attemptNo: 1 }, breakerState: 3 },
    };
    const { dependencies } = await checkHealth(declared, options, opened);
    expect(dependencies).toMatchObject([{ status: "available", breaker: "closed" }]);
  });

  it.each([
    null,
    7,
    "x",
    {},
    { ownState: null },
    { ownState: { value: 9 }, breakerState: 0 },
    { ownState: { value: 1, openedAt: "x" }, breakerState: {} },
    // Opened in the future, as after the clock was set back.
    { ownState: { value: 1, openedAt: 1, attemptNo: 1 }, breakerState: 3 },
  ])("takes a stored state that is none for a closed breaker: %j", async (stored) => {
    const { dependencies } = await checkHealth(
      [],
      { root: "/", env: {}, now: () => 0 },
      { api: stored as never },
    );
    expect(dependencies).toEqual([]);
    const declared = [{ name: "api", type: "service", endpoint: "nonsense", source: "user" as const }];
    const report = await checkHealth(
      declared,
      { root: "/", env: {}, now: () => 0 },
      { api: stored as never },
    );
    expect(report.dependencies).toMatchObject([{ breaker: "closed" }]);
  });

  it("denies what needs a dependency that does not answer", async () => {
    let isUp = true;
    const { port } = await service(() => isUp);
    box = new Governed({ config: configFor(port) });
    await box.found();
    writeFileSync(
      join(box.folder, "cairn.policy.yaml"),
      'actions:\n  - { match: "deploy", tier: 0, needs: [api] }\n  - { match: "ship", tier: 0, needs: [undeclared] }\n  - { match: "*", tier: 0 }\n',
    );
    await policies.policyAccept(
      box.as(),
      async () => box?.signer as never,
      async () => true,
    );
    expect(await gate(box.as("a"), { action: "deploy" })).toMatchObject({ decision: "allow" });
    isUp = false;
    expect(await gate(box.as("a"), { action: "deploy" })).toMatchObject({
      decision: "deny",
      reasons: ["api is not available"],
    });
    expect(await gate(box.as("a"), { action: "ship" })).toMatchObject({ decision: "deny" });
    expect((await openGovernance(box.as())).ledger.state.forged).toEqual([]);
  });
});
