import { completions } from "../../../work/project/reading/completions.ts";
import type { Project } from "../../../work/project/project.ts";
import type { CommandOf } from "../command.ts";
import type { ArgumentSpec, OptionSpec } from "../../../work/verbs/field.ts";
import { commandWords, isCommand, optionName, specOf, subcommandsOf } from "../table.ts";
import { TOPICS } from "../table/setup.ts";
import { GLOBAL } from "../../../work/verbs/command-words.ts";
import { allOptions, tokensOf } from "../parse.ts";

export const completion: CommandOf<"completion"> = async (_context, { shell }, output) => {
  const script = SCRIPTS[shell];
  if (output.json) output.result({ shell, script }, "");
  else output.raw(script);
};

/** A script that asks the command for each word: then the table of commands has one reader, and nothing gets out of date. */
const SCRIPTS = {
  bash: `# bash completion for checkpoint: eval "$(checkpoint completion bash)"
_checkpoint() {
  local word
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    COMPREPLY+=("$word")
  done < <(checkpoint completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _checkpoint checkpoint
`,
  zsh: `#compdef checkpoint
# zsh completion for checkpoint: eval "$(checkpoint completion zsh)"
_checkpoint() {
  local -a found
  found=(\${(f)"$(checkpoint completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  (( $#found )) || { _files; return }
  found=(\${found//:/\\\\:})
  found=(\${found/$'\\t'/:})
  _describe -V checkpoint found
}
compdef _checkpoint checkpoint
`,
  fish: `# fish completion for checkpoint: checkpoint completion fish > ~/.config/fish/completions/checkpoint.fish
function __checkpoint_words
  set -l current (commandline -ct)
  set -l found (checkpoint completion words -- (commandline -opc)[2..-1] "$current" 2>/dev/null)
  if test (count $found) -gt 0
    string join \\n $found
  else
    __fish_complete_path "$current"
  end
end
complete -c checkpoint -f -a '(__checkpoint_words)'
`,
} as const;

/** What may be typed, and what it is for. */
type CompletionWord = readonly [word: string, about: string];

/** Names come from anywhere, and a shell would put them into its line as they are. */
const HARMLESS = /^[\p{L}\p{N}_.@+=:~/-]+$/u;

export const completionWords: CommandOf<"completion words"> = async ({ project }, options, output) => {
  const current = options.typed.at(-1) ?? "";
  const all = await candidates(project, options.typed.slice(0, -1), current);
  const found = all.filter(([word]) => word.startsWith(current) && HARMLESS.test(word));
  output.result({ words: found.map(([word]) => word) }, () =>
    found.map(([word, about]) => (about === "" ? word : `${word}\t${about}`)).join("\n"),
  );
};

async function candidates(
  project: Project,
  before: readonly string[],
  current: string,
): Promise<CompletionWord[]> {
  const words = tokensOf(before, allOptions()).flatMap((token) =>
    token.kind === "word" ? [token.text] : [],
  );
  const [first = "", second = ""] = words;
  const name = [`${first} ${second}`, first].find(isCommand);
  const seconds =
    words.length === 1 ? subcommandsOf(first).map((word) => withAbout(word, `${first} ${word}`)) : [];
  if (name === undefined && current.startsWith("-")) return [withAbout("--version"), withAbout("--help")];
  if (name === undefined) return words.length === 0 ? firstWords() : seconds;
  const spec = specOf(name);
  const rest = words.slice(name.split(" ").length);
  const options = Object.entries({ ...spec.options, ...GLOBAL });
  const open = options.find(([key]) => optionName(key) === before.at(-1))?.[1];
  if (open !== undefined && open.kind !== "flag") return valuesOf(project, open, rest[0]);
  const named = options.map(([key, { about }]): CompletionWord => [optionName(key), about]);
  if (current.startsWith("-")) return named;
  const list = Object.values(spec.arguments ?? {});
  const argument = list[rest.length] ?? list.find(({ kind }) => kind === "rest");
  if (argument === undefined) return seconds.length > 0 ? seconds : named;
  if (name === "help") return [...TOPICS.map((topic): CompletionWord => [topic, ""]), ...firstWords()];
  return [...seconds, ...(await valuesOf(project, argument, rest[0]))];
}

const withAbout = (word: string, name = word): CompletionWord => [
  word,
  isCommand(name) ? specOf(name).about : "",
];

const firstWords = () =>
  commandWords()
    .filter((word) => !word.includes(" "))
    .map((word) => withAbout(word));

/** What the store knows, by what the table calls it. */
const ASKED = {
  RUN: "runs",
  TRAIL: "trails",
  STEP: "steps",
  "STEP|N": "steps",
} as const;

async function valuesOf(
  project: Project,
  spec: ArgumentSpec | Exclude<OptionSpec, { kind: "flag" }>,
  run: string | undefined,
): Promise<CompletionWord[]> {
  if (spec.kind === "choice") return spec.choices.map((word) => [word, ""]);
  const named = "names" in spec ? spec.names : undefined;
  const what = named ?? ASKED[spec.value as keyof typeof ASKED];
  if (what === undefined) return [];
  return (await completions(project, { what, run })).map((word) => [word, ""]);
}
