/** `[##########----------]` for a half. */
export function progressBar(share: number): string {
  const full = Math.round(share * 20);
  return `[${"#".repeat(full)}${"-".repeat(20 - full)}]`;
}
