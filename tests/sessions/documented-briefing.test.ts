import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Client, contextOf } from "./support/client.ts";
import { Transcript } from "./support/transcript.ts";

const DOCUMENT = join(import.meta.dirname, "../../docs/handoff.md");

/** A tool call as the transcript has it, and as its hook reports it. */
async function called(
  { client, transcript }: { readonly client: Client; readonly transcript: Transcript },
  call: { readonly name: string; readonly input: object; readonly response: string | object },
): Promise<void> {
  const { name: tool_name, input: tool_input, response: tool_response } = call;
  transcript.called(tool_name, tool_input, tool_response);
  const tool_use_id = `toolu_${tool_name}_${JSON.stringify(tool_input).length}`;
  await client.send("claude/post-tool-batch", {
    transcript_path: transcript.path,
    tool_calls: [{ tool_name, tool_input, tool_use_id, tool_response }],
  });
}

const bash = (command: string, stdout: string) => ({
  name: "Bash",
  input: { command },
  response: { stdout, stderr: "", interrupted: false },
});

const FAILED = ` FAIL  src/session/cache.test.ts > a revoked session is not served
AssertionError: expected 'served' to be 'refused'
 ❯ src/session/cache.test.ts:31:20
 Tests  1 failed | 11 passed (12)`;

it("the briefing that the documentation shows is what this program says", async () => {
  const client = new Client();
  const world = { client, transcript: new Transcript(client) };
  const { transcript } = world;
  const asked = async (prompt: string) => {
    transcript.asked(prompt);
    await client.send("claude/user-prompt-submit", { prompt, transcript_path: transcript.path });
  };
  const cache = join(client.folder, "src/session/cache.ts");
  const before = "export function keyOf(user: User, request: Incoming) {\n";

  await asked("Logins take two seconds since Monday. Find out why, and tell me before you change anything.");
  transcript.said("Let me look at what changed since then.");
  await called(
    world,
    bash("git log --oneline --since=monday -- src/session", "9c1f2ab Serve no revoked session"),
  );
  const code = `${before}  return \`\${user.id}:\${request.startedAt}\`;\n}\n`;
  await called(world, { name: "Read", input: { file_path: cache }, response: { file: { content: code } } });
  transcript.said(
    "The root cause is commit 9c1f2ab: `keyOf` in `src/session/cache.ts` puts `request.startedAt` into the key, so no request ever finds an entry and `rebuild` runs each time (1.8 s).\n\nTwo ways out:\n- A: take the time out of the key again. Sessions that were revoked stay cached for up to 60 s.\n- B: keep it, and cache the result of `rebuild` by user. Safer, but touches `rebuild` and its 14 callers.\n\nI recommend A with a `revokedAt` in the key instead, because revocation is what 9c1f2ab was after. A or B?",
  );
  await client.send("claude/stop", {
    transcript_path: transcript.path,
    last_assistant_message: undefined,
    background_tasks: [],
    session_crons: [],
  });
  await asked("A. But no new dependency, and don't touch rebuild");
  transcript.said("I'll put `revokedAt` into the key.");
  const [old_string, new_string] = ["request.startedAt", "user.revokedAt ?? 0"].map(
    (what) => `  return \`\${user.id}:\${${what}}\`;`,
  );
  await called(world, {
    name: "Edit",
    input: { file_path: cache, old_string, new_string },
    response: { filePath: cache, originalFile: code },
  });
  await called(world, bash("npm test -- session 2>&1 | tail -20", FAILED));
  transcript.said(
    "One test fails: a revoked session is still served, because `revoke` in `src/session/revoke.ts` does not set `revokedAt` on the user that is in memory. Let me set it there and run the tests again.",
  );
  await client.send("claude/pre-compact", { transcript_path: transcript.path });
  const text = contextOf(
    await client.send("claude/session-start-compact", { transcript_path: transcript.path }),
  );
  client.remove();
  const told = /<data-\d+>\n\n([^]*?)\n\n<\/data-/.exec(text)?.[1] ?? "";
  const shown = /\nAfter:\n```\n([^]*?)\n```/.exec(readFileSync(DOCUMENT, "utf8"))?.[1];
  // What a checkpoint says of itself is another each time.
  expect(shown).toBe(told.replace(/## Checkpoint\n.*\n/, ""));
});
