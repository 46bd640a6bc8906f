import { suggest } from "../text/suggest.ts";
import type { ArgumentSpec, CommandSpec } from "./spec.ts";
import { subcommandsOf } from "./table.ts";

/** What people type to see something, where the command alone shows it, and to add something, where that is all it does. */
const SHOW = ["list", "ls", "show"];
const ADD = ["add", "set"];

/** What shows what a command records, if not the command. */
const SHOWN_BY: Readonly<Record<string, string>> = { decide: "decision list", block: "status" };

/**
 * What helps if a word was probably meant for a subcommand: `constraint lits` is a mistake more often than a rule. Behind
 * `--` any word is taken as it is.
 */
export function hintIfMistaken(spec: CommandSpec, word: string): string | undefined {
  const [argument] = Object.values(spec.arguments ?? {});
  if (argument?.value !== "TEXT" && argument?.value !== "NAME") return undefined;
  const meant = probablyMeant(spec, argument, word);
  if (meant === undefined) return undefined;
  return `checkpoint ${meant}\nIf you mean the word itself: checkpoint ${spec.name} -- ${word}`;
}

function probablyMeant(
  { name, options }: CommandSpec,
  { kind, value }: ArgumentSpec,
  word: string,
): string | undefined {
  const known = subcommandsOf(name);
  if (SHOW.includes(word))
    return known.includes("list") ? `${name} list` : kind === "optional" ? name : SHOWN_BY[name];
  if (ADD.includes(word)) return `${name} ${value === "TEXT" ? '"…"' : value}`;
  if (options?.[word]?.kind === "flag") return `${name} ${value} --${word}`;
  const near = suggest(word, known);
  return near && `${name} ${near}`;
}

/** What helps if a command that takes no arguments got some. */
export function hintForExtra({ name }: CommandSpec, words: readonly string[]): string | undefined {
  const [word = ""] = words;
  const [known] = subcommandsOf(name);
  if (SHOW.includes(word)) return `checkpoint ${name}`;
  if (name === "now") return `To say why: checkpoint ${name} --notes "${words.join(" ")}"`;
  return known && `checkpoint ${name} ${known} ${word}`;
}
