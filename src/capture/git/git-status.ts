/** What `git status --porcelain=v2 --branch -z` says. */
export interface GitStatus {
  readonly head: string | null;
  readonly branch: string | null;
  /** Changed, staged, unmerged and untracked paths, relative to the top of the working tree. */
  readonly paths: readonly string[];
}

/**
 * No rename detection: it reads file contents, in a partial clone even over the network. Submodules are skipped,
 * because each would start one more git.
 */
export const STATUS_ARGS: readonly string[] = [
  "status",
  "--porcelain=v2",
  "-z",
  "--branch",
  "--no-ahead-behind",
  "--untracked-files=normal",
  "--no-renames",
  "--ignore-submodules=dirty",
];

/** How many fields come before the path, by kind of record. */
const FIELDS_BEFORE_PATH: Readonly<Record<string, number>> = { "1": 8, u: 10, "?": 1 };

export function parseStatus(records: readonly string[]): GitStatus {
  let head: string | null = null;
  let branch: string | null = null;
  const paths: string[] = [];
  for (const record of records) {
    if (record.startsWith("# branch.oid ")) head = unless("(initial)", record.slice(13));
    else if (record.startsWith("# branch.head ")) branch = unless("(detached)", record.slice(14));
    else {
      const fields = FIELDS_BEFORE_PATH[record.slice(0, 1)];
      if (fields !== undefined) paths.push(afterFields(record, fields));
    }
  }
  return { head, branch, paths };
}

function unless(placeholder: string, value: string): string | null {
  return value === placeholder ? null : value;
}

/** The rest of a record after `count` fields. Not split, because a path may contain spaces. */
function afterFields(record: string, count: number): string {
  let start = 0;
  for (let field = 0; field < count; field++) start = record.indexOf(" ", start) + 1;
  return record.slice(start);
}
