import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

import { noteProgress } from "../../src/workflow/progress/note-progress.ts";
import { incompleteProgress, scanProgress } from "../../src/workflow/progress/scan-progress.ts";
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
