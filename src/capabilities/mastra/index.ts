/**
 * The storage of Mastra's workflows in a Cairn store.
 *
 * @packageDocumentation
 */
export { CairnWorkflows } from "./workflows.ts";
