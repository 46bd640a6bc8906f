import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ReplayedCommit } from "./replayed-commits.ts";

type SessionCommit = ReplayedCommit & { readonly session: string };

/** A commit and the session that it comes from; without one, a person made it. */
interface Rewritten {
  readonly hash: string;
  readonly session: string | undefined;
}

const LATER = "2026-06-01T12:00:00Z";

/** A repository in which each session's commits are made anew, and then rewritten by git itself. */
export class Repository {
  readonly root: string;
  readonly env: Record<string, string>;

  constructor(root: string) {
    this.root = root;
    this.env = { HOME: root, PATH: process.env["PATH"] ?? "", GIT_CONFIG_NOSYSTEM: "1" };
    this.git(LATER, "init", "-q", "-b", "main");
    writeFileSync(join(root, ".gitignore"), ".cairn*\n");
    for (const name of ["main", "base"]) {
      if (name === "base") this.git(LATER, "checkout", "-q", "-b", "base");
      writeFileSync(join(root, `${name}.txt`), `what ${name} had before any session began\n`);
      this.git(LATER, "add", ".");
      this.git(LATER, "commit", "-q", "-m", `Begin ${name}`);
    }
  }

  git(at: string, ...args: readonly string[]): string {
    const { env, root: cwd } = this;
    const identity = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "gc.auto=0"];
    const dates = { GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at };
    const done = spawnSync("git", [...identity, ...args], {
      cwd,
      env: { ...env, ...dates },
      encoding: "utf8",
    });
    if (done.status !== 0) throw new Error(`git ${args.join(" ")}: ${done.stderr}`);
    return done.stdout.trim();
  }

  head(): string {
    return this.git(LATER, "rev-parse", "HEAD");
  }

  /** Makes a session's commits on a new branch; `after` may change each before the next is made. */
  replay(
    branch: string,
    commits: readonly SessionCommit[],
    after: (commit: SessionCommit) => void = () => {},
  ): string[] {
    this.git(LATER, "checkout", "-q", "-f", "-b", branch, "main");
    return commits.map((commit) => {
      for (const [path, content] of commit.files) this.#write(path, content);
      this.git(LATER, "add", "-A");
      const at = new Date(Math.floor(Date.parse(commit.at) / 1000) * 1000 - 1000).toISOString();
      this.git(at, "commit", "-q", "--allow-empty", "--cleanup=verbatim", "-m", commit.subject);
      after(commit);
      return this.head();
    });
  }

  add(path: string, content: string): void {
    this.#write(path, content);
    this.git(LATER, "add", "-A");
  }

  #write(path: string, content: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), content);
  }
}

type Rewrite = (repository: Repository, commits: readonly SessionCommit[]) => Rewritten[];

/** What people do to commits, by git's own commands. */
export const REWRITES: Readonly<Record<string, Rewrite>> = {
  "being made anew": eachSession((repository, branch, commits) => repository.replay(branch, commits)),
  "an amended message": eachSession((repository, branch, commits) =>
    repository.replay(branch, commits, () => {
      repository.git(LATER, "commit", "-q", "--amend", "--allow-empty", "-m", "Say it better");
    }),
  ),
  "an amended content": eachSession((repository, branch, commits) => {
    let number = 0;
    return repository.replay(branch, commits, () => {
      repository.add(`notes/${branch.replace("/", "-")}.txt`, `added to the same commit, note ${number++}\n`);
      repository.git(LATER, "commit", "-q", "--amend", "--no-edit", "--allow-empty");
    });
  }),
  "a rebase": eachSession((repository, branch, commits) => {
    repository.replay(branch, commits);
    repository.git(LATER, "rebase", "-q", "--keep-empty", "--onto", "base", "main", branch);
    const kept = repository.git(LATER, "rev-list", "--reverse", `base..${branch}`);
    return kept.split("\n");
  }),
  "a cherry-pick": eachSession((repository, branch, commits) => {
    const made = repository.replay(branch, commits);
    repository.git(LATER, "checkout", "-q", "-f", "-b", `${branch}-picked`, "base");
    return made.map((hash) => {
      repository.git(LATER, "cherry-pick", "--allow-empty", "--keep-redundant-commits", hash);
      return repository.head();
    });
  }),
  "a squash": eachSession((repository, branch, commits) => {
    repository.replay(branch, commits);
    if (repository.git(LATER, "diff", "--stat", "main", branch) === "") return [];
    repository.git(LATER, "checkout", "-q", "-f", "-b", `${branch}-squashed`, "main");
    repository.git(LATER, "merge", "-q", "--squash", branch);
    repository.git(LATER, "commit", "-q", "-m", "All of it");
    return [repository.head()];
  }),
  // A person who types the same lines later: whatever explain answers, it must not be a fact.
  "a copy by hand": (repository, commits) => {
    const copies = eachSession((_repository, branch, own) => {
      repository.git(LATER, "checkout", "-q", "-f", "-b", branch, "main");
      return own.map((commit, index) => {
        for (const [path, content] of commit.files) repository.add(path, content);
        repository.git(
          `2026-07-01T12:00:${String(index % 60).padStart(2, "0")}Z`,
          "commit",
          "-q",
          "--allow-empty",
          "-m",
          commit.subject,
        );
        return repository.head();
      });
    });
    return copies(repository, commits).map(({ hash }) => ({ hash, session: undefined }));
  },
};

let branches = 0;

function eachSession(
  rewrite: (repository: Repository, branch: string, commits: readonly SessionCommit[]) => readonly string[],
): Rewrite {
  return (repository, commits) => {
    const sessions = Map.groupBy(commits, ({ session }) => session);
    return [...sessions].flatMap(([session, own]) =>
      rewrite(repository, `session/${branches++}`, own).map((hash) => ({ hash, session })),
    );
  };
}
