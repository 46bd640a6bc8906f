import type { Mutant } from "./mutant.ts";

const WORKERS = ["tests/postgres/workers.test.ts"];
const CLAIMS = { tests: WORKERS, only: "claim an attempt once" };

/** Runs that several machines move. Their tests need PostgreSQL. */
export const WORKER_MUTANTS: readonly Mutant[] = [
  {
    guard: "a claimed attempt is another worker's no more",
    file: "src/capabilities/workers/work-functions.ts",
    from: "WHERE known.worker = excluded.worker AND known.outcome IS NULL;",
    to: "WHERE known.outcome IS NULL;",
    ...CLAIMS,
  },
  {
    guard: "a claim holds for the run as it is",
    file: "src/capabilities/workers/claims.ts",
    from: '"SELECT @claim($1, $2, $3, $4, $5, $6, $7) AS claim"',
    to: `"SELECT @claim($1, $2, $3, $4, $5, $6, coalesce((SELECT encode(head, 'hex') FROM @trails WHERE name = $6), $7)) AS claim"`,
    ...CLAIMS,
  },
  {
    guard: "a claim is renewed while its step runs",
    file: "src/capabilities/workers/claims.ts",
    from: "UPDATE @outcomes SET expires = now() + make_interval(secs => $2) WHERE",
    to: "UPDATE @outcomes SET expires = CASE WHEN $2 > 0 THEN expires END WHERE",
    ...CLAIMS,
  },
  {
    guard: "only the worker that claimed an attempt reports it",
    file: "src/capabilities/workers/work-functions.ts",
    from: "AND attempt = p_attempt AND worker = p_worker\n",
    to: "AND attempt = p_attempt\n",
    tests: WORKERS,
    only: "hear only the worker",
  },
  {
    guard: "an attempt ends once",
    file: "src/capabilities/workers/work-functions.ts",
    from: "AND (outcome IS NULL OR outcome = p_outcome);",
    to: "AND p_outcome IS NOT NULL;",
    tests: WORKERS,
    only: "hear only the worker",
  },
  {
    guard: "one mover for a run",
    file: "src/capabilities/workers/work-functions.ts",
    from: "WHERE held.expires < now() OR held.holder = excluded.holder;",
    to: "WHERE held.expires IS NOT NULL;",
    tests: WORKERS,
    only: "hear only the worker",
  },
  {
    guard: "no step of a commit that the worker's checkout does not have",
    file: "src/capabilities/workers/checked-step.ts",
    from: "if (!trustStore && !(await knowsCommit(context, run.git_head)))",
    to: 'if (!trustStore && run.id === "")',
    tests: WORKERS,
    only: "run only what their own checkout",
    isBuilt: true,
  },
  {
    guard: "what killed workers leave is removed",
    file: "src/capabilities/workers/worker-folder.ts",
    from: "await removeDead(context, workers);",
    to: "void removeDead;",
    tests: WORKERS,
    only: "leave nothing behind",
    isBuilt: true,
  },
];
