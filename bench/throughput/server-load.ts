import { readdirSync, readFileSync } from "node:fs";

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

/** The processor time of PostgreSQL on this machine in milliseconds: its processes, and those that have ended below them. */
export function postgresCpuMs(): number {
  const processes = new Map(readdirSync("/proc").flatMap(readProcess));
  let ticks = 0;
  for (const { parent, own, children } of processes.values())
    ticks += own + (processes.has(parent) ? 0 : children);
  return ticks * TICK_MS;
}

function readProcess(pid: string): [number, { parent: number; own: number; children: number }][] {
  if (!/^\d+$/.test(pid)) return [];
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    if (!stat.includes("(postgres)")) return [];
    const fields = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const [user, system, childUser, childSystem] = fields.slice(11, 15) as [number, number, number, number];
    return [[Number(pid), { parent: fields[1]!, own: user + system, children: childUser + childSystem }]];
  } catch {
    // It has ended.
    return [];
  }
}
