import { isTaskOver } from "../state/tasks.ts";
import { asList, asText, own, textOf } from "../../core/text/untrusted.ts";
import { oneLine } from "../../core/text/visible.ts";
import type { Style } from "./output.ts";
import { statusSign } from "./signs.ts";

export function taskLine(task: unknown, style: Style, all: readonly unknown[] = []): string {
  const status = textOf(task, "status") ?? "pending";
  const owner = textOf(task, "owner");
  const over = all.filter(isTaskOver).map((other) => textOf(other, "id"));
  const waits = asList(own(task, "blocked_by"))
    .map((id) => asText(id) ?? "?")
    .filter((id) => !over.includes(id));
  const reason = textOf(task, "reason");
  const isOpen = !isTaskOver(task);
  const facts = [
    own(task, "interrupted") === true && "interrupted: no live agent works on it",
    owner && `@${oneLine(owner)}`,
    own(task, "captured") === true && "captured",
    isOpen && waits.length > 0 && `waits for ${oneLine(waits.join(", "))}`,
    status === "blocked" && reason && oneLine(reason),
  ];
  const tail = facts.filter(Boolean).join(", ");
  const subject = oneLine(textOf(task, "subject") ?? "(no subject)");
  const line = `${oneLine(textOf(task, "id") ?? "?")}  ${subject}${tail === "" ? "" : `  ${style.dim(tail)}`}`;
  return `${statusSign(status, style)} ${line}`;
}

/** `2 of 5 done, 1 cancelled` */
export function progress(tasks: readonly unknown[]): string {
  const having = (status: string) => tasks.filter((task) => textOf(task, "status") === status).length;
  const cancelled = having("cancelled");
  const done = `${having("completed")} of ${tasks.length - cancelled} done`;
  return cancelled === 0 ? done : `${done}, ${cancelled} cancelled`;
}
