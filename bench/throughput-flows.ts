import { defineWorkflow } from "./workflow-library.ts";

const nothing = () => null;

/** The workflow that is done again and again: a step that does nothing. */
export const ONE = defineWorkflow({ name: "one", steps: [{ id: "only", needs: [], run: nothing }] });

/** As many as in rival-worker.mjs. */
export const CHAIN_STEPS = 50;

/** Steps that wait for each other. */
export const CHAIN = defineWorkflow({
  name: "chain",
  steps: Array.from({ length: CHAIN_STEPS }, (_, at) => ({
    id: `s${at}`,
    needs: at > 0 ? [`s${at - 1}`] : [],
    run: nothing,
  })),
});

export const FLOWS = [ONE, CHAIN];
