import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

import { noteProgress } from "../../src/work/progress/note-progress.ts";
import { incompleteProgress, scanProgress } from "../../src/work/progress/scan-progress.ts";
import { newProject } from "./support/project.ts";

const AT = "2026-02-14T10:30:00.000Z";
const clocked = async () => newProject({}, { now: () => new Date(AT) });

describe("a progress note", () => {
  it("commits, then writes the agent's file in its documented format", async () => {
    const project = await clocked();
    const { checkpoint, file } = await noteProgress(project, {
      feature: "login",
      agent: "architect",
      team: "plan-product",
      phase: "design",
      milestone: "review-requested",
      text: "Submitted ADR to skeptic for review",
    });
    expect(project.read("docs/progress/login-architect.md")).toMatchInlineSnapshot(`
      "---
      feature: "login"
      team: "plan-product"
      agent: "architect"
      phase: "design"
      status: "in_progress"
      last_action: "Submitted ADR to skeptic for review"
      updated: "2026-02-14T10:30:00.000Z"
      ---

      ## Progress Notes

      - [10:30] Submitted ADR to skeptic for review (review-requested)
      "
    `);
    expect(file).toBe(join(project.root, "docs/progress/login-architect.md"));
    expect(checkpoint).toMatchObject({
      trail: "progress/login/architect",
      agent_id: "architect",
      notes: "review-requested: Submitted ADR to skeptic for review",
    });
  });

  it("adds to what is there, and keeps phase and status", async () => {
    const project = await clocked();
    const who = { feature: "login", agent: "a" };
    await noteProgress(project, { ...who, text: "one", phase: "testing", status: "blocked" });
    const { progress } = await noteProgress(project, { ...who, text: "two" });
    expect(progress).toMatchObject({
      phase: "testing",
      status: "blocked",
      last_action: "two",
      notes: [{ text: "one" }, { text: "two" }],
    });
  });

  it("enforces the words of the seed, and names that lead nowhere", async () => {
    const project = await clocked();
    const note = { feature: "f", agent: "a", text: "x" };
    await expect(noteProgress(project, { ...note, phase: "desing" })).rejects.toMatchObject({
      message: '"desing" is not a phase.',
      hint: 'Did you mean "design"?',
    });
    await expect(noteProgress(project, { ...note, status: "done" })).rejects.toThrow(
      '"done" is not a status.',
    );
    await expect(noteProgress(project, { ...note, feature: "../../etc" })).rejects.toThrow(
      "is not a name for a feature",
    );
  });

  it("of many agents at once never collides, and none is lost", async () => {
    const project = await clocked();
    const names = Array.from({ length: 6 }, (_, index) => `agent${index}`);
    await Promise.all(
      names.flatMap((agent) =>
        ["one", "two"].map(async (text) => noteProgress(project, { feature: "f", agent, text })),
      ),
    );
    const { found, problems } = await scanProgress(project);
    expect(problems).toEqual([]);
    expect(found.map(({ progress }) => progress.notes.length)).toEqual(names.map(() => 2));
    expect(readdirSync(join(project.root, "docs/progress")).filter((name) => name.endsWith(".tmp"))).toEqual(
      [],
    );
  });
});

describe("a trail of an earlier version", () => {
  it("is read, and goes on as work", async () => {
    const project = await clocked();
    const old = {
      feature: "login",
      agent: "dev",
      phase: "design",
      status: "blocked",
      last_action: "one",
      updated: AT,
      notes: [{ at: AT, text: "one" }],
    };
    await project.cairn.trail<object>("progress/login/dev").commit(old);
    const { progress } = await noteProgress(project, { feature: "login", agent: "dev", text: "two" });
    expect(progress).toMatchObject({ phase: "design", status: "blocked", notes: [{}, { text: "two" }] });
    const { state } = await project.cairn.trail("progress/login/dev").load();
    expect(state).toMatchObject({ goal: "Feature login, by dev", phase: { name: "design" } });
    expect(state).not.toHaveProperty("feature");
  });
});

describe("a file that is behind its trail", () => {
  const FILE = "docs/progress/login-dev.md";
  const texts = ({ notes }: { notes: readonly { text: string }[] }) => notes.map(({ text }) => text);
  const noted = async (project: Awaited<ReturnType<typeof clocked>>, text: string, status?: string) =>
    (await noteProgress(project, { feature: "login", agent: "dev", text, status })).progress;

  /** A project whose process was killed after its second commit, before it wrote the file. */
  async function behind() {
    const project = await clocked();
    await noted(project, "one");
    const before = project.read(FILE);
    await noted(project, "two", "blocked");
    project.write(FILE, before);
    return { project, before };
  }

  it("is no edit by hand: nothing that was acknowledged is lost", async () => {
    const { project } = await behind();
    expect((await scanProgress(project)).found).toMatchObject([{ isNew: false }]);
    const progress = await noted(project, "three");
    expect(texts(progress)).toEqual(["one", "two", "three"]);
    expect(progress.status).toBe("blocked");
  });

  it("keeps what is newer when it is edited all the same", async () => {
    const { project, before } = await behind();
    project.write(FILE, before.replace('phase: "research"', 'phase: "design"').concat("- [10:40] By hand\n"));
    const progress = await noted(project, "three");
    expect(texts(progress)).toEqual(["one", "By hand", "two", "three"]);
    expect(progress).toMatchObject({ phase: "design", status: "blocked" });
  });

  it("has as many notes of the same words and minute as were made", async () => {
    const project = await clocked();
    await noted(project, "again");
    const before = project.read(FILE);
    await noted(project, "again");
    project.write(FILE, before);
    expect(texts(await noted(project, "again"))).toEqual(["again", "again", "again"]);
  });

  it("is updated by a scan", async () => {
    const { project } = await behind();
    expect((await scanProgress(project)).found).toMatchObject([{ progress: { last_action: "two" } }]);
    expect(project.read(FILE)).toContain('last_action: "two"');
  });

  it("is told from a file whose notes were corrected by hand", async () => {
    const project = await newProject({}, { now: clock() });
    await noted(project, "one");
    await noted(project, "tow");
    project.write(FILE, project.read(FILE).replace("] one", "] first").replace("] tow", "] two"));
    expect(texts(await noted(project, "three"))).toEqual(["first", "two", "three"]);
  });
});

/** A clock that moves a second with each look at it. */
function clock(): () => Date {
  let time = Date.parse(AT);
  return () => new Date((time += 1000));
}

describe("a file that an agent wrote by hand", () => {
  const written = (status: string, note = "- [10:00] Started") =>
    `---\nfeature: "x"\nteam: "t"\nagent: "dev"\nphase: "implementation"\nstatus: "${status}"\nlast_action: "Working"\nupdated: "${AT}"\n---\n\n## Progress Notes\n\n${note}\n`;

  it("is read in, and what was added to it survives the next note", async () => {
    const project = await clocked();
    project.write("docs/progress/x-dev.md", written("in_progress"));
    expect((await scanProgress(project)).found).toMatchObject([
      {
        file: "docs/progress/x-dev.md",
        isNew: true,
        progress: { notes: [{ at: "2026-02-14T10:00:00.000Z", text: "Started" }] },
      },
    ]);
    expect((await scanProgress(project)).found).toMatchObject([{ isNew: false }]);
    project.write("docs/progress/x-dev.md", written("blocked", "- [10:00] Started\n- [10:15] By hand"));
    const { progress } = await noteProgress(project, { feature: "x", agent: "dev", text: "By command" });
    expect(progress.status).toBe("blocked");
    expect(progress.notes.map(({ text }) => text)).toEqual(["Started", "By hand", "By command"]);
    expect((await incompleteProgress(project)).found).toHaveLength(1);
    await noteProgress(project, { feature: "x", agent: "dev", text: "Finished", status: "complete" });
    expect((await incompleteProgress(project)).found).toEqual([]);
  });

  it("keeps all of its text but what a note changes", async () => {
    const project = await newProject({}, { now: clock() });
    const own = written(
      "in_progress",
      "* [9:05] Started\n  with a remark below\n\n## Questions\n\nWhich port?",
    )
      .replace('team: "t"\n', "")
      .replace("status:", "# ask before changing\nstatus:")
      .replace("---\n\n##", "owner: ada # of my own\n---\nIntroduction.\n\n##")
      .replaceAll("\n", "\r\n");
    project.write("docs/progress/x-dev.md", own);
    await noteProgress(project, { feature: "x", agent: "dev", team: "core", text: "Ran it" });
    expect(project.read("docs/progress/x-dev.md")).toBe(
      own
        .replace('feature: "x"\r\n', 'feature: "x"\r\nteam: "core"\r\n')
        .replace('last_action: "Working"', 'last_action: "Ran it"')
        .replace(AT, "2026-02-14T10:30:01.000Z")
        .replace("a remark below\r\n", "a remark below\r\n- [10:30] Ran it\r\n"),
    );
  });

  it("that belongs to another feature and agent is left alone", async () => {
    const project = await clocked();
    await noteProgress(project, { feature: "a-b", agent: "c", text: "one" });
    const mine = { feature: "a", agent: "b-c", text: "two" };
    await expect(noteProgress(project, mine)).rejects.toThrow(
      'a-b-c.md is the progress file of agent "c" for feature "a-b".',
    );
  });

  it("keeps its place among many others, which are read in together", async () => {
    const project = await clocked();
    const names = Array.from({ length: 60 }, (_, at) => `f${String(at).padStart(2, "0")}`);
    for (const name of names)
      project.write(`docs/progress/${name}-dev.md`, written("in_progress").replace('"x"', `"${name}"`));
    project.write("docs/progress/f30-dev.md", "just words");
    const { found, problems } = await scanProgress(project);
    const sound = names.filter((name) => name !== "f30");
    expect(found.map(({ progress, isNew }) => [progress.feature, isNew])).toEqual(
      sound.map((name) => [name, true]),
    );
    expect(problems.map(({ file }) => file)).toEqual(["docs/progress/f30-dev.md"]);
    expect((await scanProgress(project)).found.filter(({ isNew }) => isNew)).toEqual([]);
  });

  it("is reported with line and remedy when it is malformed, never guessed and never overwritten", async () => {
    const project = await clocked();
    const broken = written("nearly", "- Started without a time");
    project.write("docs/progress/x-dev.md", broken);
    project.write("docs/progress/plain.md", "just words");
    project.write("docs/progress/README.md", "What these files are for.");
    project.write("docs/progress/y-dev.md", written("complete"));
    const { found, problems } = await scanProgress(project);
    expect(found).toEqual([]);
    expect(problems.map(({ file, line, message }) => `${file}:${line}: ${message}`)).toEqual([
      "docs/progress/plain.md:1: There is no frontmatter.",
      'docs/progress/x-dev.md:6: "nearly" is not a status.',
      'docs/progress/y-dev.md:2: This file says that it is "x-dev.md".',
    ]);
    for (const { remedy } of problems) expect(remedy).not.toBe("");
    await expect(noteProgress(project, { feature: "x", agent: "dev", text: "x" })).rejects.toMatchObject({
      code: "usage",
    });
    expect(project.read("docs/progress/x-dev.md")).toBe(broken);
    project.write("docs/progress/x-dev.md", written("complete", "- Started without a time"));
    expect((await scanProgress(project)).problems).toContainEqual(
      expect.objectContaining({
        file: "docs/progress/x-dev.md",
        line: 13,
        message: "This note has no time.",
      }),
    );
  });
});
