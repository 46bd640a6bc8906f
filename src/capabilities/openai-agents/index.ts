/**
 * Sessions of the OpenAI Agents SDK in a Cairn store.
 *
 * @packageDocumentation
 */
export { CairnSession, type CairnSessionOptions } from "./session.ts";
