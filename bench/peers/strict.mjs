// Which tests of `testSaver` a checkpointer passes: prints { passed, failed: [names] }.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AIMessage } from "@langchain/core/messages";
import { CairnSaver } from "cairn-checkpoint/langgraph";
import { testSaver } from "cairn-checkpoint/testing";
import { SAVERS, TAMPER } from "./savers.mjs";

const name = process.argv[2];
const tests = [];
const it = Object.assign((title, body) => tests.push({ title, body }), { skip: () => undefined });
const opening = async (make) => {
  const folder = mkdtempSync(join(tmpdir(), "cairn-strict-"));
  const opened = await make(folder);
  const tamper = TAMPER[name];
  const end = async () => {
    await opened.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...opened, end, tamper: tamper && ((...args) => tamper(opened, folder, ...args)) };
};
const open = () => opening(SAVERS[name]);
// The others have no such option, so the plain saver is asked.
const openStrict =
  name === "CairnSaver"
    ? () =>
        opening((folder) => {
          const saver = new CairnSaver({ path: join(folder, ".cairn"), singleWriter: true });
          return { saver, close: () => saver.close() };
        })
    : open;
testSaver(open, {
  describe: (_, body) => body(),
  it,
  openStrict,
  makeMessage: (content) => new AIMessage({ content }),
});

const failed = [];
for (const { title, body } of tests) await body().catch(() => failed.push(title));
process.stdout.write(`\n${JSON.stringify({ all: tests.length, failed })}\n`);
process.exit(0);
