import { isCheckpointError } from "../../errors.ts";
import { visible } from "../../text/visible.ts";
import type { CommandOf } from "../command.ts";
import type { SETUP } from "../table/setup.ts";
import { padEnd, wrap } from "../columns.ts";
import { PROJECT_FILE, readSettings } from "../../project/settings/settings.ts";
import { checkClients } from "../doctor/check-clients.ts";
import { checkDisk, checkFolder, checkGit, checkNode } from "../doctor/check-machine.ts";
import { checkStore } from "../doctor/check-store.ts";
import { type Finding, note, ok, problem, warning } from "../doctor/finding.ts";
import type { Project } from "../../project/project.ts";
import type { Output } from "../output.ts";

/** Check that everything works, and say how to mend what does not */
export const doctor: CommandOf<typeof SETUP.doctor> = async (context, _options, output) => {
  const project = context.project;
  const findings = [
    checkNode(context),
    ...checkFolder(project),
    ...(await checkStore(project)),
    checkDisk(project),
    ...checkGit(context, project),
    ...(await checkClients(context, project)),
    ...(await checkConfig(project)),
  ];
  const problems = findings.filter(({ level }) => level === "problem").length;
  const warnings = findings.filter(({ level }) => level === "warning").length;
  output.result({ ok: problems === 0, problems, warnings, findings }, () =>
    findings.map((finding) => line(finding, output)).join("\n"),
  );
  return problems === 0 ? 0 : 1;
};

async function checkConfig(project: Project): Promise<Finding[]> {
  try {
    const settings = await readSettings(project, project.root);
    const { dependencies, allow_endpoints, probe_timeout_ms } = settings;
    const warnings = settings.warnings.map((each) => warning("config", each, "checkpoint help environment"));
    if (dependencies.length === 0 && warnings.length === 0)
      return [ok("config", `no services declared in ${PROJECT_FILE}`)];
    const { probeDependencies } = await import("../../capture/probes/probe.ts");
    const now = () => project.now().getTime();
    const probed = await probeDependencies(dependencies, {
      root: project.root,
      env: project.env,
      now,
      allow: allow_endpoints,
      timeoutMs: probe_timeout_ms,
    });
    const services = probed.map(({ name, status, reason, endpoint }) => {
      if (status === "available") return ok(name, `available at ${endpoint}`);
      const message = `${status} at ${endpoint ?? "its endpoint"}${reason === undefined ? "" : `: ${reason}`}`;
      return status === "unknown"
        ? note(name, message, "checkpoint help environment")
        : warning(name, message, "Start it, or correct its endpoint in the config.");
    });
    return [...warnings, ...services];
  } catch (error) {
    if (!isCheckpointError(error)) throw error;
    return [problem("config", error.message, error.hint ?? "checkpoint help environment")];
  }
}

function line({ name, level, message, remedy }: Finding, { style, columns }: Output): string {
  const sign = {
    ok: style.green("ok"),
    note: style.blue("note"),
    warning: style.yellow("warn"),
    problem: style.red("FAIL"),
  }[level];
  const label = `${padEnd(sign, 5)} ${padEnd(style.bold(name), 11)}`;
  const indent = " ".repeat(17);
  const room = columns === undefined ? Number.POSITIVE_INFINITY : Math.max(columns - 17, 20);
  const text = wrap(visible(message), room).replaceAll("\n", `\n${indent}`);
  return `${label}${text}${remedy === null ? "" : `\n${indent}${style.dim(wrap(`try: ${remedy}`, room).replaceAll("\n", `\n${indent}`))}`}`;
}
