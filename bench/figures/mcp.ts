import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { atMost, type Figure, info, type Row } from "../figure.ts";
import { Samples } from "../measure.ts";

const LAUNCHER = fileURLToPath(new URL("../../bin/checkpoint.js", import.meta.url));
const WARM_UP = 50;
const CALLS = 400;

export const mcp: Figure = {
  name: "mcp",
  title: "The capture tool of checkpoint mcp, as hooks call it: an event is saved before it is answered",
  measure: async ({ place, progress }) => {
    progress.step("capture tool of checkpoint mcp");
    const folder = place.newFolder();
    const client = await connect([LAUNCHER, "mcp"], folder);
    const [batch, prompt] = [new Samples(), new Samples()];
    for (let call = 0; call < WARM_UP + CALLS; call++) {
      const event = eventOf(call, folder);
      const [first, second] = call < WARM_UP ? [new Samples(), new Samples()] : [batch, prompt];
      const asked = { ...event, hook_event_name: "UserPromptSubmit", prompt: `Go on with part ${call}` };
      await first.time(() => client.callTool({ name: "capture", arguments: event }));
      await second.time(() => client.callTool({ name: "capture", arguments: asked }));
      progress.at(call, WARM_UP + CALLS);
    }
    await checkCaptured(client, CALLS + WARM_UP);
    await client.close();
    return rows({ batch, prompt });
  },
};

function rows({ batch, prompt }: Record<"batch" | "prompt", Samples>): Row[] {
  const ms = (microseconds: number) => `${(microseconds / 1000).toFixed(2)} ms`;
  const unit = { unit: " ms", must: 10, aim: 5 };
  return [
    atMost("capture of a batch of tool calls, p50", batch.p50 / 1000, unit, `p99 ${ms(batch.p99)}`),
    info("capture of a prompt, p50", ms(prompt.p50), `p99 ${ms(prompt.p99)}`),
  ];
}

async function connect(args: readonly string[], cwd: string): Promise<Client> {
  const client = new Client({ name: "claude-code", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [...args], cwd, stderr: "inherit" }),
  );
  return client;
}

/** What an agent's hook sends at the end of a batch: a command that was run and a file that was edited. */
function eventOf(call: number, cwd: string): Record<string, unknown> {
  const output = Array.from(
    { length: 20 },
    (_, line) => `src/part-${line}.ts: ${call * 7 + line} passed`,
  ).join("\n");
  return {
    hook_event_name: "PostToolBatch",
    session_id: "00000000-0000-4000-8000-000000000000",
    cwd,
    transcript_path: "",
    tool_calls: [
      {
        tool_name: "Bash",
        tool_use_id: `b${call}`,
        tool_input: { command: `npm test -- part-${call % 40}` },
        tool_response: { stdout: output, stderr: "", interrupted: false },
      },
      {
        tool_name: "Edit",
        tool_use_id: `e${call}`,
        tool_input: { file_path: `${cwd}/src/part-${call % 40}.ts`, old_string: "a", new_string: "b" },
        tool_response: { filePath: `${cwd}/src/part-${call % 40}.ts` },
      },
    ],
  };
}

/** A fast tool that saved nothing would prove nothing. */
async function checkCaptured(client: Client, events: number): Promise<void> {
  const { structuredContent } = await client.callTool({ name: "list", arguments: { all: true, limit: 200 } });
  const { checkpoints } = structuredContent as { checkpoints: unknown[] };
  if (checkpoints.length < Math.min(200, events))
    throw new Error(`Only ${checkpoints.length} events were saved.`);
}
