import { relative, resolve } from "node:path";
import { CheckpointError } from "../../../core/errors.ts";
import { shellWord } from "../../../core/text/shell-word.ts";
import { findTemplate, TEMPLATES, type Template, writeTemplate } from "../templates/templates.ts";
import type { WorkflowCommand } from "../verbs.ts";
import { wrap } from "../../../work/terminal/columns.ts";
import type { Context } from "../../../work/terminal/context.ts";
import type { Output } from "../../../work/terminal/output.ts";

export const templates: WorkflowCommand<"templates"> = async (context, { name, to }, output) => {
  if (name === undefined && to !== undefined) throw needsName(to);
  if (name === undefined) return list(output);
  const template = findTemplate(name);
  if (to === undefined) show(template, output);
  else copy(template, { to, context, output });
};

function list(output: Output): void {
  const { style } = output;
  const documents = TEMPLATES.map(asDocument);
  output.result({ templates: documents, written: null }, () =>
    TEMPLATES.map(({ name, about }) => {
      const words = wrap(about, Math.max((output.columns ?? 100) - 2, 40)).replaceAll("\n", "\n  ");
      return `${style.bold(name)}\n  ${words}`;
    }).join("\n"),
  );
  output.message(
    `To try one, offline, with a stand-in agent: checkpoint run --template ${TEMPLATES[0]?.name}`,
  );
}

function show(template: Template, output: Output): void {
  const { name, files } = template;
  const others = Object.keys(files).filter((file) => file !== "workflow.yaml");
  output.message(
    `It comes with ${others.join(", ")}. To make it your own: checkpoint templates ${name} --to DIR`,
  );
  if (output.json) output.result({ templates: [asDocument(template)], written: null }, "");
  else output.raw(files["workflow.yaml"] ?? "");
}

function copy(
  template: Template,
  { to, context, output }: { to: string; context: Context; output: Output },
): void {
  const folder = resolve(context.cwd, to);
  const workflow = writeTemplate(template, folder);
  const written = Object.keys(template.files).map((file) => resolve(folder, file));
  output.message(`To run it: checkpoint run ${shellWord(relative(context.cwd, workflow))}`);
  output.result({ templates: [asDocument(template)], written }, `Wrote ${written.join("\n      ")}`);
}

const asDocument = ({ name, about, files }: Template) => ({ name, about, files });

function needsName(to: string): CheckpointError {
  return new CheckpointError("usage", "--to needs the name of a template to copy.", {
    hint: `One of them: checkpoint templates ${TEMPLATES[0]?.name} --to ${shellWord(to)}`,
  });
}
