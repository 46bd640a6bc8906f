/** Shows a text with $PAGER, or with `less`, as git does; false where there is none. An empty $PAGER asks for none. */
export function showPaged(text: string, env: NodeJS.ProcessEnv): boolean {
  const { PAGER: pager = "less" } = env;
  if (pager === "" || pager === "cat") return false;
  // Loaded here, because few commands print so much.
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const { status } = spawnSync(pager, {
    shell: true,
    input: text,
    stdio: ["pipe", "inherit", "inherit"],
    env: { LESS: "FRX", ...env },
  });
  // What a shell says of a program that is not there, or may not be run.
  return status !== 127 && status !== 126;
}
