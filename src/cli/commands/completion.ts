import type { CommandOf } from "../command.ts";
import type { CommandSpec, OptionSpec } from "../spec.ts";
import { optionName, SPECS, subcommandsOf } from "../table.ts";
import { type SETUP, TOPICS } from "../table/setup.ts";
import { GLOBAL, ID } from "../table/shared.ts";

/** Print completions for your shell */
export const completion: CommandOf<typeof SETUP.completion> = async (_context, options, output) => {
  const text = { bash, zsh, fish }[options.shell]();
  output.result({ shell: options.shell, script: text }, text.trimEnd());
};

/** Print the words that a shell can complete: runs, trails, steps of a run … */
export const completionWords: CommandOf<(typeof SETUP)["completion words"]> = async (
  { project },
  options,
  output,
) => {
  const { completions } = await import("../../project/looking/completions.ts");
  const words = (await completions(project, options)).filter((word) =>
    /^[\p{L}\p{N}_.@+=:~/-]+$/u.test(word),
  );
  output.result({ words }, words.join("\n"));
};

/** What to ask for, by what stands in the place: as the table calls it. */
const ASKED: Readonly<Record<string, string>> = {
  RUN: "runs",
  TRAIL: "trails",
  STEP: "steps",
  "STEP|N": "steps",
};

/** The kind of words that an argument or option takes, if the store knows them. */
function askedFor({
  about,
  ...spec
}: {
  readonly about: string;
  readonly value?: string;
}): string | undefined {
  return about.startsWith(ID) || spec.value === "CKPT" ? "checkpoints" : ASKED[spec.value ?? ""];
}

/** The shell's words for that. The run whose steps are wanted is the first word after the command. */
const listWords = (what: string, run: string) =>
  `checkpoint completion words ${what}${what === "steps" ? ` ${run}` : ""} 2>/dev/null`;

/** What the arguments of a command can be, by their places. */
const argumentKinds = (spec: CommandSpec) =>
  Object.values(spec.arguments ?? {}).flatMap((argument) => askedFor(argument) ?? []);

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
    const names = optionsOf(spec).map(([key]) => optionName(key));
    const words = [...subcommandsOf(spec.name), ...wordsOf(spec), ...names].join(" ");
    const asked = argumentKinds(spec).map((what) => ` $(${listWords(what, '"$first"')})`);
    return `    "${spec.name}") choices="${words}${asked.join("")}" ;;`;
  });
  // By command, because --status means other words for runs than for progress files.
  const values = SPECS.flatMap((spec) =>
    Object.entries(spec.options ?? {}).flatMap(([key, option]) => {
      const what = askedFor(option);
      const list =
        option.kind === "choice" ? option.choices.join(" ") : what && `$(${listWords(what, '"$first"')})`;
      return list ? [`    "${spec.name} ${optionName(key)}") choices="${list}" ;;`] : [];
    }),
  );
  const seconds = groups()
    .filter((word) => !SPECS.some(({ name }) => name === word))
    .map((word) => `    "${word}") choices="${subcommandsOf(word).join(" ")}" ;;`);
  return `# bash completion for checkpoint: eval "$(checkpoint completion bash)"
_checkpoint() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local command="" first="" word choices=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in
      -*) ;;
      *)
        case "$command" in
          "") command="$word" ;;
          ${groups().join("|")})
            case " ${groups()
              .flatMap((word) => subcommandsOf(word).map((second) => `${word}/${second}`))
              .join(" ")} " in
              *" $command/$word "*) command="$command $word" ;;
              *) first="\${first:-$word}" ;;
            esac
            ;;
          *) first="\${first:-$word}" ;;
        esac
        ;;
    esac
  done
  case "$command" in
    "") choices="${firstWords().join(" ")} --version --help" ;;
${[...seconds, ...cases].join("\n")}
  esac
  case "$command $previous" in
${values.join("\n")}
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
        `'${optionName(key)}[${quote(option.about)}]${option.kind === "flag" ? "" : `:value:${zshValues(option)}`}'`,
    );
    const words = wordsOf(spec);
    const values = words.length > 0 ? [`'*:word:(${words.join(" ")})'`] : [];
    const asked = argumentKinds(spec).join(" ");
    const places = asked === "" ? ["'*:file:_files'"] : [`'*:word:{_checkpoint_words ${asked}}'`];
    return `    '${spec.name}') _arguments ${[...flags, ...(values.length > 0 ? values : places)].join(" ")} ;;`;
  });
  return `#compdef checkpoint
# zsh completion for checkpoint: eval "$(checkpoint completion zsh)"
_checkpoint_words() {
  local what
  local -a found
  for what in "$@"; do
    found+=(\${(f)"$(checkpoint completion words $what $words[CURRENT-1] 2>/dev/null)"})
  done
  compadd -a found
}
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

/** The word before the one that is being typed. */
const FISH_RUN = "(commandline -opc)[-1]";

/** What stands for the value of an option. */
function zshValues(option: OptionSpec): string {
  if (option.kind === "choice") return `(${option.choices.join(" ")})`;
  const what = askedFor(option);
  return what === undefined ? "" : `{_checkpoint_words ${what}}`;
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
      const asked = askedFor(option);
      const value =
        option.kind === "flag"
          ? ""
          : option.kind === "choice"
            ? ` -x -a ${quote(option.choices.join(" "))}`
            : ` -x${asked === undefined ? "" : ` -a ${quote(`(${listWords(asked, FISH_RUN)})`)}`}`;
      lines.push(
        `complete -c checkpoint -n ${quote(seen)} -l ${optionName(key).slice(2)}${value} -d ${quote(option.about)}`,
      );
    }
    const words = wordsOf(spec);
    if (words.length > 0) lines.push(`complete -c checkpoint -n ${quote(seen)} -a ${quote(words.join(" "))}`);
    for (const what of argumentKinds(spec))
      lines.push(`complete -c checkpoint -n ${quote(seen)} -a ${quote(`(${listWords(what, FISH_RUN)})`)}`);
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
