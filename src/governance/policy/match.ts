/** Whether a pattern of action names matches: `*` stands for any characters, all else for itself. */
export function isMatch(pattern: string, action: string): boolean {
  const [start = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return pattern === action;
  if (!action.startsWith(start)) return false; // Quicker than a RegExp, and most differ there.
  const parts = [start, ...rest].map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s").test(action);
}
