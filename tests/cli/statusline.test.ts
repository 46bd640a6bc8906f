import { expect, it } from "vitest";
import { Sandbox } from "./support/sandbox.ts";

it("says when was saved last, and what is open, of the session that asks", () => {
  const box = new Sandbox();
  try {
    const line = (input = "") => box.run(["statusline"], { input });
    expect(line()).toMatchObject({ stdout: "cairn: nothing saved yet\n", status: 0 });
    box.run(["task", "add", "Write the test"]);
    box.run(["task", "add", "Make it pass"]);
    expect(line("no json").stdout).toBe("cairn: saved 1 min ago · 2 open tasks\n");
    const hook = (event: object) => box.run(["hook"], { input: JSON.stringify(event) });
    const session = { session_id: "s1", cwd: box.folder };
    hook({ ...session, hook_event_name: "SessionStart", source: "startup" });
    hook({ ...session, hook_event_name: "UserPromptSubmit", prompt: "Fix the login page" });
    expect(line(JSON.stringify(session)).stdout).toBe("cairn: saved 1 min ago\n");
    box.write("w.yaml", "name: w\nsteps:\n  - id: ship\n    approve: Ship it?\n");
    box.run(["run", "w.yaml"]);
    expect(line(JSON.stringify({ session_id: "never seen" })).stdout).toContain(
      "1 waiting for you: checkpoint status",
    );
    box.write(".cairn/store.sqlite", "damaged");
    expect(line()).toMatchObject({ stdout: "cairn: checkpoint doctor\n", status: 0, stderr: "" });
  } finally {
    box.remove();
  }
});
