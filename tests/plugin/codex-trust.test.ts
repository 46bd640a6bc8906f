import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Sandbox } from "../cli/support/sandbox.ts";

/** Files that the real Codex 0.166 wrote when a person had trusted our hooks. */
const recorded = (name: string) =>
  readFileSync(join(import.meta.dirname, "fixtures", name), "utf8").replaceAll(
    "/home/ada/.codex",
    join(box.home, ".codex"),
  );

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox();
  put(".codex/config.toml", "");
});
afterEach(() => box.remove());

const put = (name: string, text: string) => box.writeHome(name, text);

const init = () => box.run(["init", "--client", "codex", "--yes"]);

function doctorOnCodex(): { level: string; message: string; remedy: string | null } | undefined {
  const { findings } = box.json("doctor") as {
    findings: { name: string; level: string; message: string; remedy: string | null }[];
  };
  return findings.find(({ name }) => name === "codex");
}

const WAITS = {
  level: "warning",
  message: "Codex is set up, but does not run our hooks yet.",
  remedy: "type /hooks in Codex, and trust what runs checkpoint",
};

describe("doctor on Codex", () => {
  it("says that hooks run only once they are trusted, and how to trust them", () => {
    init();
    expect(doctorOnCodex()).toMatchObject(WAITS);
    put(".codex/config.toml", recorded("codex-trusted.toml"));
    expect(doctorOnCodex()).toMatchObject({ level: "ok" });
  });

  it("counts neither a hook that was switched off nor trust in one at another place", () => {
    init();
    const trusted = recorded("codex-trusted.toml");
    put(".codex/config.toml", `${trusted.trimEnd()}\nenabled = false\n`);
    expect(doctorOnCodex()).toMatchObject(WAITS);
    put(".codex/config.toml", trusted.replace("stop:0:0", "stop:1:0"));
    expect(doctorOnCodex()).toMatchObject(WAITS);
  });

  it("looks at the plugin's hooks where that is installed", () => {
    const trusted = recorded("codex-plugin-trusted.toml");
    put(".codex/config.toml", trusted);
    expect(doctorOnCodex()).toMatchObject({ level: "ok" });
    put(".codex/config.toml", trusted.slice(0, trusted.indexOf("[hooks.state]")));
    expect(doctorOnCodex()).toMatchObject(WAITS);
    put(".codex/config.toml", trusted.replace("enabled = true", "enabled = false"));
    expect(doctorOnCodex()).toMatchObject({
      ...WAITS,
      remedy: "type /plugins in Codex, and switch cairn@cairn on",
    });
  });

  it("finds that it worked here, and sent nothing", () => {
    init();
    put(".codex/config.toml", recorded("codex-trusted.toml"));
    const id = "0199e2c4-5b7d-7c11-9b9a-3f0a5a1c2d3e";
    const meta = { type: "session_meta", payload: { id, cwd: box.folder } };
    put(`.codex/sessions/2026/11/15/rollout-2026-11-15T10-00-00-${id}.jsonl`, `${JSON.stringify(meta)}\n`);
    expect(doctorOnCodex()).toMatchObject({
      level: "warning",
      message: "Codex is set up and has been used here since, but sent no event.",
    });
    const start = { hook_event_name: "SessionStart", session_id: id, cwd: box.folder, source: "startup" };
    box.run(["hook", "--client", "codex"], { input: JSON.stringify(start) });
    expect(doctorOnCodex()).toMatchObject({ level: "ok" });
  });
});
