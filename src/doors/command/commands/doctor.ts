import { probeDependencies } from "../../../work/capture/probes/probe.ts";
import { isCheckpointError } from "../../../core/errors.ts";
import { acceptLoss } from "../../../work/project/open-stores.ts";
import { visible } from "../../../core/text/visible.ts";
import type { CommandOf } from "../command.ts";
import { padEnd, wrap } from "../../../work/terminal/columns.ts";
import { PROJECT_FILE, readSettings } from "../../../work/project/settings/settings.ts";
import { checkDisk, checkFolder, checkGit, checkNode, isForeign } from "../doctor/check-machine.ts";
import { checkStore } from "../doctor/check-store.ts";
import { type DoctorFinding, note, ok, problem, warning } from "../../../work/project/finding.ts";
import { waitForClients } from "../doctor/wait-for-clients.ts";
import type { Project } from "../../../work/project/project.ts";
import type { Output } from "../../../work/terminal/output.ts";

export const doctor: CommandOf<"doctor"> = async (context, options, output) => {
  const { project } = context;
  if (options.acceptLoss) await acceptLoss(project);
  const foreign = isForeign(project);
  const ofCapabilities: DoctorFinding[] = [];
  for (const { doctor: load } of project.capabilities)
    if (load !== undefined) ofCapabilities.push(...(await (await load())(project, { isForeign: foreign })));
  const found = [
    checkNode(context),
    checkFolder(project),
    ...(await checkStore(project)),
    ...ofCapabilities,
    checkDisk(project),
    ...(foreign
      ? []
      : checkGit(project, { isMirrored: ofCapabilities.some(({ name }) => name === "mirror") })),
    ...(await checkConfig(project)),
  ];
  const findings = options.wait ? [...found, ...(await waitForClients(context, found, output))] : found;
  const problems = findings.filter(({ level }) => level === "problem").length;
  const warnings = findings.filter(({ level }) => level === "warning").length;
  output.result({ ok: problems === 0, problems, warnings, findings }, () =>
    findings.map((finding) => line(finding, output)).join("\n"),
  );
  return problems === 0 ? 0 : 1;
};

async function checkConfig(project: Project): Promise<DoctorFinding[]> {
  try {
    const { root, env } = project;
    const settings = await readSettings(project, root);
    const { warnings, allow_endpoints: allow, probe_timeout_ms: timeoutMs } = settings;
    const now = () => project.now().getTime();
    const probed = await probeDependencies(settings.dependencies, { root, env, now, allow, timeoutMs });
    if (probed.length + warnings.length === 0)
      return [ok("config", `no services declared in ${PROJECT_FILE}`)];
    const services = probed.map(({ name, status, reason, endpoint }) => {
      if (status === "available") return ok(name, `available at ${endpoint}`);
      const message = `${status} at ${endpoint ?? "its endpoint"}${reason === undefined ? "" : `: ${reason}`}`;
      return status === "unknown"
        ? note(name, message, "checkpoint help environment")
        : warning(name, message, "Start it, or correct its endpoint in the config.");
    });
    const mistakes = warnings.map((each) => warning("config", each, "checkpoint help environment"));
    return [...mistakes, ...services];
  } catch (error) {
    if (!isCheckpointError(error)) throw error;
    return [problem("config", error.message, error.hint ?? "checkpoint help environment")];
  }
}

function line({ name, level, message, remedy }: DoctorFinding, { style, columns }: Output): string {
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
