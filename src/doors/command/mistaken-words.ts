import { shellWord } from "../../core/text/shell-word.ts";
import { suggest } from "../../core/text/suggest.ts";
import type { ArgumentSpec } from "../../work/verbs/field.ts";
import type { CommandSpec } from "../../work/verbs/spec.ts";
import { subcommandsOf } from "./table.ts";

/** What people type after a command to see what it has recorded, or to add to it. */
const SHOW = ["list", "ls", "show"];
const ADD = ["add", "set"];

/** The commands that show what these record. */
const SHOWN_BY: Readonly<Record<string, string>> = { decide: "decision list", block: "status" };

/**
 * A hint if a word was probably meant as a subcommand: `constraint lits` is more often a typo than a rule. After `--` any
 * word is taken literally.
 */
export function hintIfMistaken(spec: CommandSpec, word: string): string | undefined {
  const [argument] = Object.values(spec.arguments ?? {});
  if (argument?.value !== "TEXT" && argument?.value !== "NAME") return undefined;
  const meant = probablyMeant(spec, argument, word);
  if (meant === undefined) return undefined;
  return `checkpoint ${meant}\nIf you mean the word itself: checkpoint ${spec.name} -- ${shellWord(word)}`;
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

/** A hint for a command that takes no arguments and got some. */
export function hintForExtra({ name }: CommandSpec, words: readonly string[]): string | undefined {
  const [word = ""] = words;
  const [known] = subcommandsOf(name);
  if (SHOW.includes(word)) return `checkpoint ${name}`;
  if (name === "now") return `To say why: checkpoint ${name} --notes ${shellWord(words.join(" "))}`;
  return known && `checkpoint ${name} ${known} ${shellWord(word)}`;
}

/** Words that people type for the reason or the text of something. */
const REASON = ["why", "reason", "notes"];
const SAME_AS_REASON = ["because", "why", "reason", "message", "note", "notes", "comment"];

/** A hint for an option that a command has under another name: `decide --because` is `--why`. */
export function hintForOption({ name, options = {} }: CommandSpec, typed: string): string | undefined {
  if (!SAME_AS_REASON.includes(typed.replace(/^-+/, ""))) return undefined;
  const known = REASON.find((key) => Object.hasOwn(options, key));
  return known && `checkpoint ${name} … --${known} "…"`;
}
