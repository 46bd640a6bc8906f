const compiled = new Map<string, RegExp>();

/** A pattern of action names: `*` stands for any characters, all else for itself. */
export function compileMatch(pattern: string): RegExp {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const parts = pattern.split("*").map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"));
  const regex = new RegExp(`^${parts.join(".*")}$`, "s");
  compiled.set(pattern, regex);
  return regex;
}
