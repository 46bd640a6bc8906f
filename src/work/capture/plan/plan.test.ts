import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { planState, readPlanFile } from "./plan-file.ts";
import { parsePlan } from "./plan.ts";

describe("parsePlan", () => {
  it("reads boxes, signs and words", () => {
    const plan = `
# Implementation plan

## ✅ Phase 1: Foundation
Some words.
- [ ] left over, but the sign says it is done

## Phase 2: Vault integration (completed)
## Phase 3: Pipeline — DONE
## Phase 4: Boxes ##
- [x] one
  1. [X] two

### Phase 4.1: a part of it
* [x] three

## Phase 5: Agent Bootstrapping
- [x] registry
- [ ] checkpoint skill
\`\`\`
## Phase 6: in an example
- [ ] not a box
\`\`\`
## Phase 7: Hardening
**Status**: 🚧 since Monday
## Phase 8 - Release
- [ ] everything
## Appendix
- [ ] not of phase 8
`;
    expect(parsePlan(plan)).toEqual([
      { name: "Phase 1: Foundation", number: 1, status: "completed" },
      { name: "Phase 2: Vault integration", number: 2, status: "completed" },
      { name: "Phase 3: Pipeline", number: 3, status: "completed" },
      { name: "Phase 4: Boxes", number: 4, status: "completed" },
      { name: "Phase 5: Agent Bootstrapping", number: 5, status: "in_progress" },
      { name: "Phase 7: Hardening", number: 7, status: "in_progress" },
      { name: "Phase 8 - Release", number: 8, status: "pending" },
    ]);
  });

  it.each([
    ["## Phase 1: Set-up [x]", "Phase 1: Set-up", 1, "completed"],
    ["## Phase 2: Done-list", "Phase 2: Done-list", 2, "pending"],
    ["## Phase 3: Open", "Phase 3: Open", 3, "pending"],
    ["## Phase 4 (WIP)", "Phase 4", 4, "in_progress"],
    ["## Phase 4: Data (50% complete)", "Phase 4: Data", 4, "in_progress"],
    ["## Phase 4: Data (100% complete)", "Phase 4: Data", 4, "completed"],
    ["## Phase 5: Not done - not started", "Phase 5: Not done", 5, "pending"],
    ["## Phase 6: **Bold** `code` | blocked", "Phase 6: Bold code", 6, "blocked"],
    ["## Phase 7 ❌", "Phase 7", 7, "failed"],
    ["## Phase 2.10: Dotted", "Phase 2.10: Dotted", null, "pending"],
    ["## Stage IV: Roman", "Stage IV: Roman", null, "pending"],
    ["# Milestone 12", "Milestone 12", 12, "pending"],
    ["## Phase: Discovery (done)", "Phase: Discovery", null, "completed"],
    ["- [x] Phase 9: In a list", "Phase 9: In a list", 9, "completed"],
    ["## Phase 5: Agents\r", "Phase 5: Agents", 5, "pending"],
  ])("reads %j", (line, name, number, status) => {
    expect(parsePlan(line)).toEqual([{ name, number, status }]);
  });

  it.each(["Phase 1: no heading", "## Phased approach", "## Phases", "##Phase 1", "    ## Phase 1", ""])(
    "finds no phase in %j",
    (line) => {
      expect(parsePlan(line)).toEqual([]);
    },
  );

  it("takes a list of phases with their parts", () => {
    const plan =
      "- [x] Phase 1: A\n- [ ] Phase 2: B\n  - [x] one\n  - [ ] two\n- [ ] Phase 3: C\n\n# End\n- [x] x";
    expect(parsePlan(plan).map(({ status }) => status)).toEqual(["completed", "in_progress", "pending"]);
  });

  it("does not take the title above for a phase", () => {
    const names = parsePlan("# Phase 8 Production Hardening\n## Phase 1: A\n## Phase 2: B").map(
      ({ name }) => name,
    );
    expect(names).toEqual(["Phase 1: A", "Phase 2: B"]);
  });

  it("bounds names and keeps control characters out of them", () => {
    const [phase] = parsePlan(`## Phase 1: \u001b[31mred\u0007${"x".repeat(5000)}`);
    expect(phase?.name.length).toBe(200);
    expect(phase?.name).toMatch(/^Phase 1: \[31mred x+$/);
  });

  it("reads any text without getting stuck", () => {
    const piece = fc.constantFrom(
      "#",
      "## Phase 1",
      "- [x] ",
      "```",
      ":",
      "(",
      "[",
      " ",
      "-",
      "\n",
      "✅",
      "status",
      "*",
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        expect(parsePlan(pieces.join(""))).toBeInstanceOf(Array);
      }),
    );
    // Long runs of what a careless expression would try to read in many ways.
    for (const gap of [" ", "- ", "(", "[", " -", "#", " #", "*", "\t", ":", "|"]) {
      const line = `## Phase 1: ${gap.repeat(900 / gap.length)}x\n`;
      expect(parsePlan(line.repeat(1000))).toHaveLength(1000);
    }
  });
});

describe("planState", () => {
  it("is the first phase that is not completed, and what is behind it", () => {
    const text =
      "## Phase 1: A (done)\n## Phase 2: B (skipped)\n## Phase 3: C\n## Phase 4: D (done)\n## Phase V (done)";
    expect(planState(parsePlan(text))).toEqual({
      phase: { name: "Phase 3: C", number: 3, status: "pending", started_at: null, notes: null },
      phases_completed: [1, 4, "Phase V"],
    });
  });

  it("is the last phase when all are completed", () => {
    const state = planState(parsePlan("## Phase 1: A (done)\n## Phase 2: B (done)"));
    expect(state?.phase).toMatchObject({ number: 2, status: "completed" });
    expect(planState([])).toBeUndefined();
  });
});

describe("readPlanFile", () => {
  let root: string;

  beforeEach(() => {
    root = join(mkdtempSync(join(tmpdir(), "cairn-plan-")), "project");
    mkdirSync(join(root, "docs"), { recursive: true });
  });

  afterEach(() => {
    rmSync(join(root, ".."), { recursive: true, force: true });
  });

  it("reads a plan inside the project", () => {
    writeFileSync(join(root, "docs/plan.md"), "## Phase 5: Agent Bootstrapping (in progress)");
    expect(readPlanFile(root, "docs/plan.md")).toMatchObject({
      phase: { name: "Phase 5: Agent Bootstrapping", number: 5, status: "in_progress" },
    });
  });

  it("says why it cannot", () => {
    const outside = join(root, "../outside.md");
    writeFileSync(outside, "## Phase 1: Secret");
    symlinkSync(outside, join(root, "link.md"));
    writeFileSync(join(root, "notes.md"), "# Notes");
    writeFileSync(join(root, "big.md"), "x".repeat(2 ** 20 + 1));
    const reasons = ["missing.md", "../outside.md", "link.md", outside, "notes.md", "big.md", "docs"].map(
      (path) => readPlanFile(root, path).reason?.replace(outside, "(absolute)"),
    );
    expect(reasons).toEqual([
      'the plan "missing.md" cannot be found (ENOENT)',
      'the plan "../outside.md" is outside the project',
      'the plan "link.md" is outside the project',
      'the plan "(absolute)" is outside the project',
      'the plan "notes.md" has no heading like "## Phase 1: …"',
      'the plan "big.md": it is larger than 1048576 bytes',
      'the plan "docs": it is not a regular file',
    ]);
  });
});
