import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as verbs from "../../../src/doors/library/project.ts";
import { thisMachine } from "../../../src/work/machine/this-machine.ts";

/** A machine of its own: a home, a project, a name. */
export interface TestMachine {
  readonly name: string;
  readonly home: string;
  readonly project: verbs.Project;
  /** What was said beside the results. */
  readonly notices: string[];
}

/** A folder with several machines in it, which share nothing but what they push. */
export class Machines {
  readonly folder = mkdtempSync(join(tmpdir(), "cairn-machines-"));
  readonly #all: TestMachine[] = [];

  /** A place for a `file:` remote. */
  get url(): string {
    return `file://${join(this.folder, "share")}`;
  }

  add(name: string, env: Record<string, string> = {}): TestMachine {
    const home = join(this.folder, name);
    const path = join(home, "project");
    mkdirSync(path, { recursive: true });
    const notices: string[] = [];
    const say = (text: string) => void notices.push(text);
    const project = verbs.openProject({
      path,
      env: { HOME: home, ...env },
      machine: { ...thisMachine, host: name, userName: name },
      notices: { message: say, warning: say },
    });
    const machine = { name, home, project, notices };
    this.#all.push(machine);
    return machine;
  }

  async remove(): Promise<void> {
    for (const { project } of this.#all) await project.stores.close();
    rmSync(this.folder, { recursive: true });
  }
}

/** The head of each trail. */
export async function headsOf({ project }: TestMachine): Promise<Record<string, string>> {
  const { store } = await project.stores.open(project, "read");
  return Object.fromEntries((await store.trails()).map(({ name, head }) => [name, head]));
}

export async function stateOf({ project }: TestMachine, trail = "main") {
  return (await (await project.stores.open(project, "read")).trail(trail).load()).state;
}
