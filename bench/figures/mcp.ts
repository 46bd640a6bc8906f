import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { atMost, type Figure, info, type Row } from "../figure.ts";
import { Samples } from "../measure.ts";

const SERVER = fileURLToPath(new URL("../mcp-server.ts", import.meta.url));
const LAUNCHER = fileURLToPath(new URL("../../bin/checkpoint.js", import.meta.url));
const WARM_UP = 50;
const CALLS = 400;

export const mcp: Figure = {
  name: "mcp",
  title: "The capture tool of the running MCP server, as hooks call it, against a tool that does nothing",
  measure: async ({ place, progress }) => {
    progress.step("capture tool / a tool that does nothing");
    const folder = place.newFolder();
    const [own, shipped] = [
      await connect([SERVER, folder], folder),
      await connect([LAUNCHER, "mcp"], place.newFolder()),
    ];
    const [nothing, capture, command, saved] = [new Samples(), new Samples(), new Samples(), new Samples()];
    for (let call = 0; call < WARM_UP + CALLS; call++) {
      const event = eventOf(call, folder);
      const [first, second, third, fourth] =
        call < WARM_UP
          ? [new Samples(), new Samples(), new Samples(), new Samples()]
          : [nothing, capture, command, saved];
      const prompt = { ...event, hook_event_name: "UserPromptSubmit", prompt: `Go on with part ${call}` };
      await first.time(() => own.callTool({ name: "nothing", arguments: event }));
      await second.time(() => own.callTool({ name: "capture", arguments: event }));
      await third.time(() => shipped.callTool({ name: "capture", arguments: { ...event, cwd: "" } }));
      await fourth.time(() => own.callTool({ name: "capture", arguments: prompt }));
      progress.at(call, WARM_UP + CALLS);
    }
    await checkCaptured(own, CALLS + WARM_UP);
    for (const client of [own, shipped]) await client.close();
    return rows({ nothing, capture, command, saved });
  },
};

function rows({
  nothing,
  capture,
  command,
  saved,
}: Record<"nothing" | "capture" | "command" | "saved", Samples>): Row[] {
  const ms = (microseconds: number) => `${(microseconds / 1000).toFixed(2)} ms`;
  const from = `${ms(capture.p50)} / ${ms(nothing.p50)}; p99 ${ms(capture.p99)} / ${ms(nothing.p99)}`;
  const unit = { unit: " ms", must: 10, aim: 5 };
  return [
    atMost("capture tool / tool that does nothing", capture.p50 / nothing.p50, { must: 3, aim: 2 }, from),
    atMost("capture tool of checkpoint mcp, p50", command.p50 / 1000, unit, `p99 ${ms(command.p99)}`),
    info(
      "capture of an event that is saved before it is answered, p50",
      ms(saved.p50),
      `p99 ${ms(saved.p99)}`,
    ),
    info("a tool that does nothing, p50", ms(nothing.p50), `p99 ${ms(nothing.p99)}`),
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
