import * as verbs from "../../../src/doors/library/project.ts";

const SHIP = `name: ship
steps:
  - id: build
    run: mkdir -p out && echo compiled && echo "Ship on Friday." > out/plan.md && seq 9999 > out/steps.txt
    outputs: [out/plan.md, out/steps.txt]
  - id: lint
    needs: []
    run: echo all good
  - id: release
    needs: [build, lint]
    approve: Ship this plan to production?
  - id: deploy
    run: echo deployed
`;

const NIGHTLY = `name: nightly
steps:
  - id: fetch
    run: echo connection refused; exit 3
`;

/** Where a project is made, and how commands are run there. */
interface DemoPlace {
  readonly folder: string;
  readonly home: string;
  readonly write: (name: string, text: string) => unknown;
  readonly run: (args: readonly string[], options?: { readonly input?: string }) => unknown;
}

/** A project with work, a fork, a tag, a run that asks, one that failed, and a session that ended. */
export async function demoProject(box: DemoPlace): Promise<void> {
  const { folder, home } = box;
  const project = verbs.openProject({ path: folder, env: { HOME: home, PATH: process.env["PATH"] } });
  await verbs.goal(project, { goal: "Let people sign in with a passkey", done_when: ["All tests pass"] });
  await verbs.constraint(project, { text: "Never touch the production database" });
  await verbs.taskAdd(project, { subject: "Write the failing test" });
  await verbs.taskAdd(project, { subject: "Make it pass", blocked_by: ["1"] });
  await verbs.phaseStart(project, { name: "Build", number: 2 });
  await verbs.decide(project, { what: "Use WebAuthn level 2", why: "Every browser we support has it" });
  await verbs.taskStatus(project, { id: "1", status: "completed", evidence: "npm test" });
  await verbs.setVariable(project, { key: "region", value: "eu-central-1" });
  await verbs.tag(project, { name: "before-refactor" });
  await verbs.fork(project, { as: "try-argon2" });
  await verbs.decide(project, { what: "Hash with argon2", why: "OWASP recommends it", trail: "try-argon2" });
  await verbs.block(project, { text: "No staging credentials yet" });
  await verbs.next(project, { next_action: "Ask ops for the staging credentials" });
  await verbs.now(project, { notes: "Before the refactoring of the session store" });
  await project.stores.close();
  box.write("ship.yaml", SHIP);
  box.write("nightly.yaml", NIGHTLY);
  box.run(["run", "ship.yaml", "--run-id", "ship-1"]);
  box.run(["run", "nightly.yaml", "--run-id", "nightly-1"]);
  box.run(["hook"], { input: JSON.stringify(PROMPT(folder)) });
}

const PROMPT = (cwd: string) => ({
  hook_event_name: "UserPromptSubmit",
  session_id: "0f8fad5b-d9cb-469f-a165-70867728950e",
  transcript_path: `${cwd}/none.jsonl`,
  cwd,
  prompt: "Add a passkey button to the login page",
});
