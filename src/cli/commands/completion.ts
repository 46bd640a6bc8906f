import type { CommandOf } from "../command.ts";
import type { CommandSpec, OptionSpec } from "../spec.ts";
import { optionName, SPECS, subcommandsOf } from "../table.ts";
import { type SETUP, TOPICS } from "../table/setup.ts";
import { GLOBAL } from "../table/shared.ts";

/** Print completions for your shell */
export const completion: CommandOf<typeof SETUP.completion> = async (_context, options, output) => {
  const text = { bash, zsh, fish }[options.shell]();
  output.result({ shell: options.shell, script: text }, text.trimEnd());
};

/** Commands that take an id first: their completions ask for the ids there are. */
const TAKES_ID = SPECS.filter(({ arguments: list }) => list?.["id"]?.about.startsWith("A checkpoint")).map(
  ({ name }) => name,
);
const LIST_IDS = "checkpoint list --limit 50 --quiet --no-color 2>/dev/null | cut -d ' ' -f 1";

const firstWords = () => [...new Set(SPECS.map(({ name }) => name.split(" ")[0] as string))];
/** First words that need a second one, or may have one. */
const groups = () => firstWords().filter((word) => subcommandsOf(word).length > 0);
const aboutWord = (word: string) =>
  SPECS.find(({ name }) => name === word)?.about ?? subcommandsOf(word).join(", ");
const optionsOf = (spec: CommandSpec): [string, OptionSpec][] =>
  Object.entries({ ...spec.options, ...GLOBAL });

/** The words that may follow a command, besides options. */
function wordsOf(spec: CommandSpec): readonly string[] {
  if (spec.name === "help") return [...TOPICS, ...firstWords()];
  return Object.values(spec.arguments ?? {}).flatMap((argument) =>
    argument.kind === "choice" ? argument.choices : [],
  );
}

function bash(): string {
  const cases = SPECS.map((spec) => {
    const words = [...wordsOf(spec), ...optionsOf(spec).map(([key]) => optionName(key))].join(" ");
    const ids = TAKES_ID.includes(spec.name) ? ` $(${LIST_IDS})` : "";
    return `    "${spec.name}") choices="${words}${ids}" ;;`;
  });
  const seconds = groups().map((word) => `    "${word}") choices="${subcommandsOf(word).join(" ")}" ;;`);
  return `# bash completion for checkpoint: eval "$(checkpoint completion bash)"
_checkpoint() {
  local current="\${COMP_WORDS[COMP_CWORD]}" command="" word choices=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in
      -*) ;;
      *)
        case "$command" in
          "") command="$word" ;;
          ${groups().join("|")}) command="$command $word" ;;
        esac
        ;;
    esac
  done
  case "$command" in
    "") choices="${firstWords().join(" ")} --version --help" ;;
${[...seconds, ...cases].join("\n")}
  esac
  COMPREPLY=($(compgen -W "$choices" -- "$current"))
}
complete -o default -F _checkpoint checkpoint
`;
}

function zsh(): string {
  const quote = (text: string) =>
    text.replaceAll("'", "'\\''").replaceAll(":", "\\:").replaceAll("[", "\\[").replaceAll("]", "\\]");
  const describe = (word: string) => `    '${word}:${quote(aboutWord(word))}'`;
  const cases = SPECS.map((spec) => {
    const flags = optionsOf(spec).map(
      ([key, option]) =>
        `'${optionName(key)}[${quote(option.about)}]${option.kind === "flag" ? "" : ":value:"}'`,
    );
    const words = wordsOf(spec);
    const values = words.length > 0 ? [`'*:word:(${words.join(" ")})'`] : [];
    const ids = TAKES_ID.includes(spec.name)
      ? [`"*:checkpoint:(\${(f)\\"\\$(${LIST_IDS})\\"})"`]
      : ["'*:file:_files'"];
    return `    '${spec.name}') _arguments ${[...flags, ...(values.length > 0 ? values : ids)].join(" ")} ;;`;
  });
  return `#compdef checkpoint
# zsh completion for checkpoint: eval "$(checkpoint completion zsh)"
_checkpoint() {
  local -a commands=(
${firstWords().map(describe).join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  local command="$words[2]"
  case "$command" in
${groups()
  .map(
    (word) =>
      `    ${word}) if (( CURRENT == 3 )); then _values 'command' ${subcommandsOf(word).join(" ")}; return; fi; command="$words[2] $words[3]" ;;`,
  )
  .join("\n")}
  esac
  case "$command" in
${cases.join("\n")}
  esac
}
compdef _checkpoint checkpoint
`;
}

function fish(): string {
  const quote = (text: string) => `'${text.replaceAll("'", "\\'")}'`;
  const lines = firstWords().map(
    (word) => `complete -c checkpoint -n __fish_use_subcommand -a ${word} -d ${quote(aboutWord(word))}`,
  );
  for (const spec of SPECS) {
    const [first, second] = spec.name.split(" ");
    const seen = `__fish_seen_subcommand_from ${first}${second === undefined ? "" : `; and __fish_seen_subcommand_from ${second}`}`;
    if (second !== undefined) {
      const missing = subcommandsOf(first as string).join(" ");
      const none = `__fish_seen_subcommand_from ${first}; and not __fish_seen_subcommand_from ${missing}`;
      lines.push(`complete -c checkpoint -n ${quote(none)} -a ${second} -d ${quote(spec.about)}`);
    }
    for (const [key, option] of Object.entries(spec.options ?? {})) {
      const value =
        option.kind === "flag"
          ? ""
          : option.kind === "choice"
            ? ` -x -a ${quote(option.choices.join(" "))}`
            : " -x";
      lines.push(
        `complete -c checkpoint -n ${quote(seen)} -l ${optionName(key).slice(2)}${value} -d ${quote(option.about)}`,
      );
    }
    const words = wordsOf(spec);
    if (words.length > 0) lines.push(`complete -c checkpoint -n ${quote(seen)} -a ${quote(words.join(" "))}`);
    if (TAKES_ID.includes(spec.name))
      lines.push(`complete -c checkpoint -n ${quote(seen)} -a ${quote(`(${LIST_IDS})`)}`);
  }
  for (const [key, option] of Object.entries(GLOBAL)) {
    lines.push(
      `complete -c checkpoint -l ${optionName(key).slice(2)}${option.kind === "flag" ? "" : " -r"} -d ${quote(option.about)}`,
    );
  }
  return `# fish completion for checkpoint: checkpoint completion fish > ~/.config/fish/completions/checkpoint.fish
complete -c checkpoint -f
${lines.join("\n")}
`;
}
