/** Whether a pattern of action names matches: `*` stands for any characters, all else for itself. */
export function isMatch(pattern: string, action: string): boolean {
  const [start = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return pattern === action;
  // Most patterns differ at the start, and making a RegExp takes the most time of a decision.
  if (!action.startsWith(start)) return false;
  const parts = [start, ...rest].map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s").test(action);
}
