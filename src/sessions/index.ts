export { answerHook } from "./answer-hook.ts";
export { CLIENTS, type ClientName, type HookAnswer, type SessionContext } from "./context.ts";
export { eventSocket, type HandedBack, type HandedOver } from "./event-socket.ts";
