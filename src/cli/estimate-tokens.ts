/** About how many tokens a whole state takes, for `estimated_tokens` in documents. Loaded where it is printed. */
export async function estimateTokens(state: object): Promise<number> {
  const { countTokens } = await import("../handoff/tokens/token-counter.ts");
  return countTokens(JSON.stringify(state)).estimate;
}
