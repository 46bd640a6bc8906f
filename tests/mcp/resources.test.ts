import { describe, expect, it } from "vitest";
import { ERAS } from "./support/agent-client.ts";
import { Agents } from "./support/agents.ts";

const agents = new Agents();

const textOf = ({ contents }: { contents: readonly object[] }) => (contents[0] as { text: string }).text;

describe.each(ERAS)("with the %s protocol", (era) => {
  it("the handoff, the list and each checkpoint are resources", async () => {
    const { client } = await agents.connect({ era });
    agents.box.run(["goal", "Ship the login page"]);
    agents.box.run(["now", "--notes", "before \u{202e}deploy"]);
    const [newest] = agents.box.json("list")["checkpoints"] as { checkpoint_id: string }[];
    const id = newest?.checkpoint_id as string;

    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri).slice(0, 3)).toEqual([
      "checkpoint://handoff",
      "checkpoint://checkpoints",
      `checkpoint://${id}`,
    ]);
    expect(resources[2]?.title).toBe(String.raw`before \u202edeploy`);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(["checkpoint://{id}"]);

    expect(textOf(await client.readResource({ uri: "checkpoint://handoff" })).trimEnd()).toBe(
      agents.box.run(["summary"]).stdout.trimEnd(),
    );
    expect(JSON.parse(textOf(await client.readResource({ uri: "checkpoint://checkpoints" })))).toMatchObject({
      checkpoints: [{ checkpoint_id: id }, { trigger: "manual" }],
    });
    const one = textOf(await client.readResource({ uri: `checkpoint://${id}` }));
    expect(JSON.parse(one)).toMatchObject({ checkpoint_id: id, goal: "Ship the login page" });
    expect(one).not.toContain("\u{202e}");

    const { completion } = await client.complete({
      ref: { type: "ref/resource", uri: "checkpoint://{id}" },
      argument: { name: "id", value: id.slice(0, 8) },
    });
    expect(completion.values).toContain(id);
  });

  it("a project without checkpoints has nothing to list, and says so when asked for one", async () => {
    const { client } = await agents.connect({ era });
    expect((await client.listResources()).resources).toHaveLength(2);
    await expect(client.readResource({ uri: "checkpoint://handoff" })).rejects.toThrow(
      /There is no checkpoint in this project yet/,
    );
    await expect(client.readResource({ uri: "checkpoint://ckpt-20260101-000000-aaaaaaaa" })).rejects.toThrow(
      /aaaaaaaa|no checkpoint/,
    );
    await expect(client.readResource({ uri: "file:///etc/passwd" })).rejects.toThrow(/passwd/);
  });

  it("resume starts with the handoff, hand_over says what to bring up to date", async () => {
    const { client } = await agents.connect({ era });
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(["resume", "hand_over"]);
    const wordsOf = async (name: string, args: Record<string, string> = {}) => {
      const { messages } = await client.getPrompt({ name, arguments: args });
      expect(messages).toHaveLength(1);
      return (messages[0] as { content: { text: string } }).content.text;
    };
    expect(await wordsOf("resume")).toContain("There is nothing to resume");
    agents.box.run(["goal", "Ship the login page"]);
    const words = await wordsOf("resume", { task: "the tests" });
    expect(words).toContain("- Ship the login page");
    expect(words).toMatch(/Go on with this: the tests$/);
    expect(await wordsOf("resume", { task: "the tests" })).toBe(words);
    expect(await wordsOf("hand_over")).toContain("task_status");
  });
});
