import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Sandbox } from "../cli/support/sandbox.ts";
import { read } from "../plugin/support.ts";
import { done, seed, shows } from "./support/promises.ts";

/** The seed's own example, word for word. */
const SEED_FILE = `---
feature: "feature-name"
team: "plan-product"
agent: "architect"
phase: "design"           # research | design | review | implementation | testing
status: "in_progress"     # in_progress | blocked | awaiting_review | complete
last_action: "Submitted ADR to skeptic for review"
updated: "2026-02-14T10:30:00Z"
---

## Progress Notes

- [10:00] Started architecture design for feature X
- [10:15] Drafted ADR-002
- [10:30] Sent to product-skeptic for review
`;

const note = (agent: string, ...words: string[]) => [
  "progress",
  "note",
  "--feature",
  "login",
  "--agent",
  agent,
  ...words,
];
const file = (box: Sandbox, agent: string) =>
  readFileSync(join(box.folder, `docs/progress/login-${agent}.md`), "utf8");

seed(
  "seed 001, State Persistence & Checkpoints",
  {
    "Proposed Solution": [
      shows("Structured checkpoint format: a YAML-frontmatter checkpoint file", (box) => {
        done(box, note("architect", "--team", "plan-product", "--phase", "design", "Drafted ADR-002"));
        expect(file(box, "architect")).toMatch(
          /^---\nfeature: "login"\nteam: "plan-product"\nagent: "architect"\nphase: "design"\nstatus: "in_progress"\nlast_action: "Drafted ADR-002"\nupdated: "2026-01-23T[^"]+"\n---\n\n## Progress Notes\n\n- \[\d\d:\d\d\] Drafted ADR-002\n$/,
        );
      }),
      shows("Key milestones: task claimed, plan drafted, review requested, review approved", (box) => {
        for (const milestone of ["task-claimed", "plan-drafted", "review-requested", "review-approved"])
          done(box, note("architect", "--milestone", milestone, milestone));
        expect(file(box, "architect").match(/\((task|plan|review)-\w+\)/g)).toHaveLength(4);
      }),
      shows("Checkpoint convention in SKILL.md: explicit instructions to write checkpoints", () => {
        const skill = read("skills/checkpoint/SKILL.md");
        expect(skill).toContain("docs/progress/FEATURE-AGENT.md");
        expect(skill).toContain("checkpoint progress note --feature");
      }),
      shows("Resume protocol: /plan-product without arguments resumes incomplete checkpoints", () => {
        const text = read("commands/plan-product.md").replaceAll(/\s+/g, " ");
        expect(text).toContain("If no feature is named above, start nothing new.");
        expect(text).toContain("checkpoint resume --list");
        expect(text).toContain("continue from its last note, not from scratch");
      }),
      shows("Resume protocol: /build-product without arguments resumes incomplete checkpoints", () => {
        const text = read("commands/build-product.md").replaceAll(/\s+/g, " ");
        expect(text).toContain("If no feature is named above, start nothing new.");
        expect(text).toContain("checkpoint progress scan");
      }),
      shows("Scan docs/progress/ for incomplete checkpoints", (box) => {
        box.write("docs/progress/feature-name-architect.md", SEED_FILE);
        expect(box.json("resume", "--list")["unfinished"]).toMatchObject([
          {
            kind: "progress",
            name: "docs/progress/feature-name-architect.md",
            status: "in_progress",
            doing: "architect: Submitted ADR to skeptic for review",
          },
        ]);
      }),
    ],
    "Checkpoint File Format": [
      shows("The seed's own file is read as it stands", (box) => {
        box.write("docs/progress/feature-name-architect.md", SEED_FILE);
        expect(box.json("progress", "scan")["files"]).toMatchObject([
          {
            is_complete: false,
            progress: {
              feature: "feature-name",
              team: "plan-product",
              phase: "design",
              notes: [{ text: "Started architecture design for feature X" }, {}, {}],
            },
          },
        ]);
      }),
      shows("phase: research | design | review | implementation | testing", (box) => {
        for (const phase of ["research", "design", "review", "implementation", "testing"])
          done(box, note("a", "--phase", phase, "moved on"));
        expect(box.run(note("a", "--phase", "deploy", "x")).status).toBe(2);
      }),
      shows("status: in_progress | blocked | awaiting_review | complete", (box) => {
        for (const status of ["in_progress", "blocked", "awaiting_review", "complete"])
          done(box, note("a", "--status", status, "moved on"));
        expect(box.run(note("a", "--status", "done", "x")).status).toBe(2);
      }),
    ],
    "Resume protocol, to the letter": [
      shows("The comments behind the fields stay when the file is written again", (box) => {
        box.write("docs/progress/feature-name-architect.md", SEED_FILE);
        const words = ["--feature", "feature-name", "--agent", "architect", "--status", "awaiting_review"];
        done(box, ["progress", "note", ...words, "Answered the skeptic"]);
        const written = readFileSync(join(box.folder, "docs/progress/feature-name-architect.md"), "utf8");
        const updated = /(?<=updated: ").*(?=")/.exec(written)?.[0] ?? "";
        expect(written).toBe(
          SEED_FILE.replace('status: "in_progress"', 'status: "awaiting_review"')
            .replace("Submitted ADR to skeptic for review", "Answered the skeptic")
            .replace("2026-02-14T10:30:00Z", updated)
            .concat(`- [${updated.slice(11, 16)}] Answered the skeptic\n`),
        );
      }),
      shows("The scan and the resume advise the exact command", (box) => {
        box.write("docs/progress/feature-name-architect.md", SEED_FILE);
        const command = 'checkpoint progress note --feature feature-name --agent architect "what you did"';
        expect(box.run(["progress", "scan"]).stderr).toContain(`To continue:\n  ${command}\n`);
        expect(box.json("progress", "scan")["files"]).toMatchObject([{ command }]);
        expect(box.run(["resume"]).stderr).toContain(`To continue: ${command}\n`);
      }),
    ],
    "Architectural Considerations": [
      shows("Checkpoints must not create concurrent write conflicts", async (box) => {
        const agents = ["one", "two", "three"];
        const started = agents.map((agent) => box.start(note(agent, `by ${agent}`)).ended);
        for (const { status } of await Promise.all(started)) expect(status).toBe(0);
        for (const agent of agents) expect(file(box, agent)).toContain(`by ${agent}`);
      }),
      shows("Not even four processes that note for one agent and feature lose a note", async (box) => {
        const notes = ["a", "b", "c", "d"].map((name) => [1, 2, 3].map((number) => `${name}${number}`));
        await Promise.all(
          notes.map(async (texts) => {
            for (const text of texts)
              expect(await box.start(note("architect", text)).ended).toMatchObject({ status: 0 });
          }),
        );
        const kept = file(box, "architect").match(/(?<=\] ).*/g);
        expect(kept?.toSorted()).toEqual(notes.flat());
        expect(box.json("progress", "scan")["files"]).toMatchObject([{ is_new: false }]);
      }),
      shows("Checkpoint writes should be lightweight: one command, one line of output", (box) => {
        expect(done(box, note("a", "Started")).trim().split("\n")).toHaveLength(1);
      }),
    ],
    "Progress is work like any other": [
      shows("diff, load and summary name the feature, the phase, the status and the notes", (box) => {
        done(box, note("architect", "--phase", "design", "--milestone", "plan-drafted", "Drafted ADR-002"));
        done(box, note("architect", "--phase", "review", "--status", "blocked", "Sent it for review"));
        const trail = ["--trail", "progress/login/architect"];
        const diff = done(box, ["diff", ...trail]);
        expect(diff).toContain("2, design (in progress) → 3, review (blocked)");
        expect(diff).toContain("+ output: [x] note Sent it for review");
        const loaded = done(box, ["load", ...trail]);
        expect(loaded).toContain("Feature login, by architect");
        expect(loaded).toContain("[x] note Drafted ADR-002 plan-drafted");
        expect(loaded).not.toMatch(/[{}]/);
        const summary = done(box, ["summary", ...trail]);
        for (const said of ["Feature login", "review (blocked)", "Drafted ADR-002", "Sent it for review"])
          expect(summary).toContain(said);
        for (const printed of [diff, loaded, done(box, ["log", ...trail])])
          expect(printed).not.toContain("?");
        expect(box.json("load", ...trail)).toMatchObject({
          phase: { name: "review", number: 3, status: "blocked" },
          variables: { feature: "login", agent: "architect", last_action: "Sent it for review" },
        });
      }),
    ],
    "Success Criteria": [
      shows("A session interrupted mid-work can be resumed by re-invoking the same skill", (box) => {
        done(box, note("architect", "Sent to product-skeptic for review"));
        const text = done(box, ["resume"]);
        expect(text).toContain("Sent to product-skeptic for review");
      }),
      shows("The resumed session picks up from the last checkpoint, not from scratch", (box) => {
        done(box, note("architect", "Drafted ADR-002"), note("architect", "Sent it for review"));
        const [item] = box.json("resume", "--list")["unfinished"] as { doing: string }[];
        expect(item?.doing).toBe("architect: Sent it for review");
        done(box, note("architect", "--status", "complete", "Approved"));
        expect(box.json("resume", "--list")["unfinished"]).toEqual([]);
      }),
    ],
  },
  { shown: 17, different: 0 },
);
