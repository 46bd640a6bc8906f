import type { Project } from "../../work/project/project.ts";
import { suggest } from "./suggest.ts";

/**
 * What a briefing tells the agent of a trail: which rules found something, in our own words. What they found was recorded, and
 * could pose as instructions there.
 */
export async function advice(project: Project, trail: string): Promise<string[]> {
  const { suggestions } = await suggest(project);
  const own = suggestions.filter((each) => each.trail === trail);
  if (own.length === 0) return [];
  return [
    "The record suggests to look at this; `checkpoint suggest --explain` tells what each rests on:",
    ...own.map(({ id, about }) => `- ${id}: ${about}`),
  ];
}
