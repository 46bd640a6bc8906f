import type { Mutant } from "./mutant.ts";

const REFUSALS = ["tests/web/refusals.test.ts"];
const PAGE = ["tests/web/page.test.ts"];

/** Whom the page answers, and what it shows. */
export const PAGE_MUTANTS: readonly Mutant[] = [
  {
    guard: "the page's key is compared",
    file: "src/doors/page/guard.ts",
    from: "timingSafeEqual(given, wanted)",
    to: "timingSafeEqual(given, given)",
    tests: REFUSALS,
    only: "without its key",
    isBuilt: true,
  },
  {
    guard: "no request of another site's page",
    file: "src/doors/page/guard.ts",
    from: "(origin === undefined || origins.includes(origin)) &&",
    to: "",
    tests: REFUSALS,
    only: "with the key too",
    isBuilt: true,
  },
  {
    guard: "no request by another name of this machine",
    file: "src/doors/page/guard.ts",
    from: 'hosts.includes(req.header("host") ?? "") &&',
    to: "",
    tests: REFUSALS,
    only: "with the key too",
    isBuilt: true,
  },
  {
    guard: "a page that only looks changes nothing",
    file: "src/doors/page/app.ts",
    from: "if (verb.writes && isReadOnly)",
    to: 'if (name === "" && isReadOnly)',
    tests: REFUSALS,
    only: "changes nothing with --read-only",
    isBuilt: true,
  },
  {
    guard: "a store that is gone is not shown as empty",
    file: "src/doors/page/live.ts",
    from: "this.#tell({ store: storeStateOf(error), trails: [] });",
    to: 'void storeStateOf(error);\n      this.#tell({ store: "empty", trails: [] });',
    tests: ["src/doors/page/live.test.ts"],
  },
  {
    guard: "an answer that would be refused is not offered",
    file: "src/doors/page/browser/question.tsx",
    from: "props.refused !== null ?",
    to: 'props.refused === "" ?',
    tests: PAGE,
    only: "offers no answer",
    isBuilt: true,
  },
  {
    guard: "no key for what took the port of a server that is gone",
    file: "src/doors/page/browser/api.ts",
    from: "isGone = true;",
    to: "isGone = false;",
    tests: PAGE,
    only: "gives its key to no program",
    isBuilt: true,
  },
];
