import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Signer } from "../../../src/capabilities/governance/keys/signature.ts";
import { makeAuthorityKey } from "../../../src/capabilities/governance/keys/authority-file.ts";
import * as agents from "../../../src/capabilities/governance/verbs/agents.ts";
import * as authority from "../../../src/capabilities/governance/verbs/authority.ts";
import { openProject } from "../../../src/doors/library/open-project.ts";
import type { Project } from "../../../src/work/project/project.ts";

/** Quick to compute: only tests may be this weak. */
const LIGHT = { N: 2 ** 10, r: 8, p: 1 };
export const PASSPHRASE = "correct horse battery";

/** A governed project in a folder of its own, with a home that holds its keys. */
export class Governed {
  readonly home: string;
  readonly folder: string;
  readonly #open: Project[] = [];
  signer: Signer | undefined;
  /** The clock of all who come after it is set. */
  now: (() => Date) | undefined;

  constructor({ config = "governance: on\n" } = {}) {
    this.home = realpathSync(mkdtempSync(join(tmpdir(), "cairn-governed-")));
    this.folder = join(this.home, "project");
    mkdirSync(this.folder);
    writeFileSync(join(this.folder, "cairn.yaml"), config);
  }

  get env(): Record<string, string> {
    return { HOME: this.home, PATH: process.env["PATH"] ?? "" };
  }

  get owner() {
    return { env: this.env, userId: process.geteuid?.() };
  }

  /** The project as one caller has it. Each has its own stores, as processes do. */
  as(agent?: string, env: Readonly<Record<string, string>> = {}): Project {
    const project = openProject({ path: this.folder, agent, env: { ...this.env, ...env }, now: this.now });
    this.#open.push(project);
    return project;
  }

  /** Makes the authority's key and lets it count. */
  async found(): Promise<Signer> {
    const make = async () => makeAuthorityKey(this.owner, PASSPHRASE, LIGHT);
    await authority.authorityInit(this.as(), async () => (this.signer = await make()));
    return this.signer as Signer;
  }

  /** Registers an agent, raises it, and gives its environment. */
  async agent(name: string, tier: 0 | 1 | 2 | 3 | 4): Promise<Record<string, string>> {
    const { token } = await agents.agentRegister(this.as(), name);
    const signing = async () => this.signer as Signer;
    if (tier > 0) await agents.agentPromote(this.as(), { agent: name, to: tier }, signing);
    return { CHECKPOINT_AGENT: name, CHECKPOINT_AGENT_TOKEN: token };
  }

  /** Closes all stores, so that what comes next reads everything again. */
  async close(): Promise<void> {
    await Promise.all(this.#open.splice(0).map(({ stores }) => stores.close()));
  }

  async remove(): Promise<void> {
    await this.close();
    rmSync(this.home, { recursive: true, force: true });
  }
}

/** What a call was refused with: its code. */
export async function refusedWith(call: () => Promise<unknown>): Promise<string> {
  try {
    await call();
    return "allowed";
  } catch (error) {
    return String((error as { code?: string }).code);
  }
}
