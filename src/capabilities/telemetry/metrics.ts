import { usage } from "../../work/project/maintenance/usage.ts";
import type { Project } from "../../work/project/project.ts";
import { readDead } from "../integrations/dead-letters.ts";
import { runs as listRuns } from "../workflow/verbs/runs.ts";

/** A number that is watched, for each set of labels. */
export interface Metric {
  readonly name: string;
  readonly type: "counter" | "gauge";
  readonly help: string;
  readonly samples: readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[];
}

/** What follows from the store as it is now. Nothing is kept for it, so it costs what listing the runs costs. */
export async function metrics(project: Project): Promise<{ readonly metrics: readonly Metric[] }> {
  const { store } = await project.stores.open(project, "read", null);
  const [newest] = await store.find({ newestFirst: true, limit: 1 });
  const trails = await store.trails();
  const runs = await listRuns(project, {});
  const dead = await readDead(project);
  const now = project.now().getTime();
  const waiting = runs.filter(({ questions }) => questions.length > 0);
  const oldestMs = Math.max(0, ...waiting.map(({ updated_at }) => now - Date.parse(updated_at)));
  const questions = waiting.reduce((sum, run) => sum + run.questions.length, 0);
  const savedAt = newest === undefined ? [] : [{ labels: {}, value: newest.createdAt / 1000 }];
  return {
    metrics: [
      counter("commits_total", "Checkpoints that were committed, pruned ones too.", newest?.sequence ?? 0),
      { ...named("last_commit_timestamp_seconds", "When the newest was made."), samples: savedAt },
      gauge("trails", "Trails that there are.", trails.length),
      ...(await sizeOf(project)),
      grouped("runs", "Runs of workflows that are not archived.", {
        status: runs.map(({ status }) => status),
      }),
      gauge("questions_waiting", "Questions of runs that wait for an answer.", questions),
      gauge("questions_oldest_seconds", "How long the oldest of them has waited.", oldestMs / 1000),
      grouped("dead_letters", "Events that could not be delivered.", {
        outlet: dead.map(({ outlet }) => outlet),
      }),
    ],
  };
}

/** A shared store's size is its server's to tell. */
async function sizeOf(project: Project): Promise<Metric[]> {
  if (project.shared !== undefined) return [];
  const { disk_bytes } = await usage(project);
  return [gauge("store_bytes", "What the store takes on the disk.", disk_bytes)];
}

const named = (name: string, help: string) => ({ name: `cairn_${name}`, type: "gauge", help }) as const;

const gauge = (name: string, help: string, value: number): Metric => ({
  ...named(name, help),
  samples: [{ labels: {}, value }],
});

const counter = (name: string, help: string, value: number): Metric => ({
  ...gauge(name, help, value),
  type: "counter",
});

/** How often each value of a label occurs. */
function grouped(name: string, help: string, by: Readonly<Record<string, readonly string[]>>): Metric {
  const samples = Object.entries(by).flatMap(([label, values]) =>
    [...new Set(values)].toSorted().map((value) => ({
      labels: { [label]: value },
      value: values.filter((each) => each === value).length,
    })),
  );
  return { ...named(name, help), samples };
}
