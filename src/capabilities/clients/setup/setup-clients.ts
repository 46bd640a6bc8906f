import { CLIENT_NAMES, type ClientName } from "../../../work/clients/clients.ts";

/** What can be set up, in the order in which that is done. */
export type SetupClient = ClientName | "agents-md";
export const SETUP_CLIENTS: readonly SetupClient[] = [...CLIENT_NAMES, "agents-md"];
