import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bugs, bugsResolve, bugsShow } from "../../src/doors/library/project.ts";
import type { Project } from "../../src/work/project/project.ts";
import { runCommand } from "../cli/support/sandbox.ts";
import type { Client } from "../sessions/support/client.ts";
import type { Transcript } from "../sessions/support/transcript.ts";
import { CheckedSession, FAILED } from "./support/checked-session.ts";

let session: CheckedSession;
let client: Client;
let transcript: Transcript;
beforeEach(() => {
  session = new CheckedSession();
  ({ client, transcript } = session);
});
afterEach(() => client.remove());

describe("bugs", () => {
  it("lists what fails, since which change, and what settled it", async () => {
    transcript.ran("go test ./login", "ok  \tshop/login\t0.1s");
    edited("login.go");
    transcript.ran("go test ./login 2>&1 | tail -5", FAILED);
    await stop();
    const [bug] = (await inProject(bugs, {})).bugs;
    expect(bug).toMatchObject({ number: 1, tool: "go", title: "TestLogin", status: "open", times: 1 });
    expect(bug?.since).toEqual({ files: ["login.go"], commits: [] });
    expect(bug?.agents).toEqual(["claude-code"]);
    edited("session.go");
    transcript.ran("go test ./...", "ok  \tshop/login\t0.1s");
    await stop();
    expect(await inProject(bugs, {})).toMatchObject({ bugs: [], closed: 1 });
    expect(await inProject(bugsShow, { number: "1" })).toMatchObject({
      status: "settled",
      settled: { by: "go test ./...", change: { files: ["session.go"] } },
    });
  });

  it("opens again what comes back, after a pass and after a person resolved it", async () => {
    transcript.ran("go test ./login", FAILED, "Exit code 1");
    await stop();
    await inProject(bugsResolve, { number: "#1", why: "The test server is gone" });
    expect(await inProject(bugsShow, { number: "1" })).toMatchObject({
      status: "resolved",
      settled: { by: "person: The test server is gone" },
    });
    transcript.ran("go test ./login", FAILED.replaceAll("42", "51"), "Exit code 1");
    await stop();
    expect((await inProject(bugs, {})).bugs).toMatchObject([
      { number: 1, status: "open", times: 2, returned: 1 },
    ]);
    await expect(inProject(bugsShow, { number: "7" })).rejects.toMatchObject({ code: "not-found" });
  });

  it("counts slips of agents apart, and takes no refused call for a failure", async () => {
    transcript.ran("cat nope.txt", "", "Exit code 1\ncat: nope.txt: No such file or directory");
    transcript.called(
      "Bash",
      { command: "npm test" },
      "",
      "The user doesn't want to proceed with this tool use.",
    );
    await stop();
    const list = await inProject(bugs, {});
    expect(list.bugs).toEqual([]);
    expect(list.slips).toMatchObject([
      { title: "cat nope.txt: cat: nope.txt: No such file or directory", times: 1 },
    ]);
  });

  it("lists the checks that a step of a workflow tells of in its result, until they pass", async () => {
    const { home, folder } = client;
    const run = (...args: readonly string[]) =>
      runCommand(args, { cwd: folder, env: { PATH: process.env["PATH"] ?? "", HOME: home } });
    const told = (ok: boolean, output = "") =>
      writeFileSync(
        join(folder, "told.json"),
        JSON.stringify({ checks: [{ command: "go test ./login", ok, output }, { command: 3 }] }),
      );
    const step = '{ id: check, run: cp told.json "$CAIRN_RESULT" }';
    writeFileSync(join(folder, "checks.yaml"), `name: checks\nsteps: [${step}]\n`);
    told(false, FAILED);
    expect(run("run", "checks.yaml", "--run-id", "first")).toMatchObject({ status: 0 });
    const { bugs: found } = await inProject(bugs, {});
    expect(found).toMatchObject([
      { title: "TestLogin", check: "go test ./login", trails: ["run/first"], agents: ["workflow"] },
    ]);
    told(true);
    run("run", "checks.yaml");
    expect(await inProject(bugs, {})).toMatchObject({ bugs: [], closed: 1 });
  });

  it("lists a step that fails, until it passes in a later run of its workflow", async () => {
    const run = (...args: readonly string[]) =>
      runCommand(["run", ...args], {
        cwd: client.folder,
        env: { PATH: process.env["PATH"] ?? "", HOME: client.home },
      });
    writeFileSync(join(client.folder, "a.yaml"), "name: a\nsteps: [{ id: build, run: test -e built }]\n");
    writeFileSync(join(client.folder, "b.yaml"), "name: b\nsteps: [{ id: build, run: 'true' }]\n");
    run("a.yaml");
    run("b.yaml");
    expect(await inProject(bugs, {})).toMatchObject({ bugs: [{ check: "step build of a" }] });
    writeFileSync(join(client.folder, "built"), "");
    run("a.yaml", "--fresh");
    expect(await inProject(bugs, {})).toMatchObject({ bugs: [], closed: 1 });
  });

  it("saves nothing, and tells the feed nothing, where nothing is new", async () => {
    transcript.ran("go test ./login", FAILED, "Exit code 1");
    await stop();
    await inProject(bugs, {});
    const before = await client.history("watch/bugs");
    await inProject(bugs, {});
    expect(await client.history("watch/bugs")).toEqual(before);
  });
});

const edited = (path: string) => session.edited(path);
const stop = () => session.stop();
const inProject = <Input, Result>(verb: (project: Project, input: Input) => Promise<Result>, input: Input) =>
  session.inProject((project) => verb(project, input));
