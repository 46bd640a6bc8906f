import { renameSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Sandbox } from "../cli/support/sandbox.ts";
import { AgentClient } from "../mcp/support/agent-client.ts";
import { freePort } from "../services/support/free-port.ts";

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox();
});
afterEach(() => box.remove());

interface Said {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
}

/** What `status` and the tool `load` say: nothing is wrong, or what. */
async function said(env: Record<string, string> = {}): Promise<readonly (Said | "live")[]> {
  const { stdout, stderr } = box.run(["status", "--json"], { env });
  const typed = stdout === "" ? (JSON.parse(stderr) as { error: Said }).error : "live";
  const agent = await AgentClient.inProcess(box, { env });
  try {
    const { isError, error } = await agent.call("load", {});
    return [typed, isError ? error : "live"];
  } finally {
    await agent.close();
  }
}

describe("the store, as status and an agent see it", () => {
  it("tells a store that is gone from one that is empty", async () => {
    for (const answer of await said())
      expect(answer).toMatchObject({ message: "There is no checkpoint in this project yet." });
    box.run(["now"]);
    expect(await said()).toEqual(["live", "live"]);
    const store = join(box.folder, ".cairn");
    renameSync(store, `${store}-away`);
    for (const answer of await said()) {
      expect(answer).toMatchObject({
        code: "not-found",
        message: `The store that was in "${store}" is gone.`,
      });
      expect((answer as Said).hint).not.toContain("checkpoint now");
    }
    const { stderr } = box.run(["now"]);
    expect(stderr).toContain("is gone");
  });

  it("tells a store whose file was emptied from one that is new", async () => {
    box.run(["now"]);
    const file = join(box.folder, ".cairn/store.sqlite");
    truncateSync(file);
    for (const answer of await said())
      expect(answer).toMatchObject({
        code: "corrupt",
        message: `"${file}" is missing or empty, though other files of the store are there.`,
        hint: expect.stringContaining("checkpoint store salvage"),
      });
  });

  it("tells a server that does not answer from both", async () => {
    const url = `postgres://cairn@127.0.0.1:${await freePort()}/cairn`;
    for (const answer of await said({ CHECKPOINT_STORE: url, CHECKPOINT_INSECURE: "1" }))
      expect(answer).toMatchObject({
        code: "failed",
        message: expect.stringContaining("PostgreSQL cannot be reached"),
      });
  });
});
