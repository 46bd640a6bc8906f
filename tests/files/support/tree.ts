import { spawnSync } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { filesLog, now } from "../../../src/doors/library/project.ts";
import { openProject } from "../../../src/doors/library/open-project.ts";
import type { Project } from "../../../src/work/project/project.ts";

/** A project in a folder of its own, with a git repository unless that is not wanted. */
export class FilesBox {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), "cairn-files-")));
  readonly root = join(this.base, "project");
  readonly home = join(this.base, "home");
  readonly project: Project;
  readonly said: string[] = [];

  constructor({ hasGit = true } = {}) {
    mkdirSync(this.root);
    mkdirSync(this.home);
    if (hasGit) {
      this.git("init", "-q", "-b", "main");
      this.git("config", "gc.auto", "0");
    }
    const say = (text: string) => void this.said.push(text);
    this.project = openProject({ path: this.root, env: this.env, notices: { message: say, warning: say } });
  }

  get env(): Record<string, string> {
    return { PATH: process.env["PATH"] ?? "", HOME: this.home };
  }

  git(...args: string[]): string {
    const identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"];
    const { stdout } = spawnSync("git", [...identity, ...args], { cwd: this.root, env: this.env });
    return String(stdout).trim();
  }

  commitAll(message: string): void {
    this.git("add", "-A");
    this.git("commit", "-qm", message);
  }

  /** Keeps the files as they are, and returns the id of that moment. */
  async keep(): Promise<string> {
    await now(this.project, { files: true });
    return (await filesLog(this.project, { limit: 1 })).moments[0]?.checkpoint_id ?? "";
  }

  text(name: string): string {
    return readFileSync(this.path(name), "utf8");
  }

  path(name: string): string {
    return join(this.root, name);
  }

  write(name: string, content: string | Uint8Array): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), content);
  }

  async remove(): Promise<void> {
    await this.project.stores.close();
    rmSync(this.base, { recursive: true, force: true });
  }
}

/** Every file below a folder: its kind, whether it may be run, and its bytes. */
export function treeOf(root: string, leftOut: readonly string[] = [".git", ".cairn"]): Map<string, string> {
  const files = new Map<string, string>();
  const visit = (folder: string) => {
    for (const name of readdirSync(join(root, folder)).toSorted()) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (leftOut.includes(path)) continue;
      const stats = lstatSync(join(root, path));
      if (stats.isDirectory()) visit(path);
      else files.set(path, contentAt(join(root, path)));
    }
  };
  visit("");
  return files;
}

function contentAt(path: string): string {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return `link ${readlinkSync(path, "latin1")}`;
  if (!stats.isFile()) return "special";
  return `${(stats.mode & 0o100) === 0 ? "file" : "program"} ${readFileSync(path, "latin1")}`;
}
