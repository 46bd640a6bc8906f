import { defineWorkflow } from "./workflow-library.ts";

const nothing = () => null;

/** The workflow that is done again and again: a step that does nothing. */
export const ONE = defineWorkflow({ name: "one", steps: [{ id: "only", needs: [], run: nothing }] });

/** Steps that wait for each other. */
export const CHAIN = defineWorkflow({
  name: "chain",
  steps: Array.from({ length: 50 }, (_, at) => ({
    id: `s${at}`,
    needs: at > 0 ? [`s${at - 1}`] : [],
    run: nothing,
  })),
});

export const FLOWS = [ONE, CHAIN];
