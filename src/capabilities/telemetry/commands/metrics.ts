import { type Metric, metrics as readMetrics } from "../metrics.ts";
import type { TelemetryCommand } from "../verbs.ts";

export const metrics: TelemetryCommand<"metrics"> = async ({ project }, _options, output) => {
  const found = await readMetrics(project);
  // Not as a person's text: no line of it may be broken.
  if (output.json) output.result(found, "");
  else output.raw(found.metrics.map(exposed).join(""));
};

/** In the text format of Prometheus, version 0.0.4. */
function exposed({ name, type, help, samples }: Metric): string {
  if (samples.length === 0) return "";
  const lines = samples.map(({ labels, value }) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
    return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("\n")}\n`;
}

const escaped = (text: string) =>
  text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
