export { answerHook } from "./answer-hook.ts";
export { CLIENTS, type ClientName, type HookAnswer, type SessionContext } from "./context.ts";
