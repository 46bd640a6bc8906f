/** A field of a verb's input: an argument or an option of its command, or a property of the JSON that other doors take. */
export type FieldSpec = ArgumentSpec | OptionSpec | ValuesSpec;

interface FieldBounds {
  /** What it is for, without a full stop. */
  readonly about: string;
  /** The same for agents and the page, where other words are better; with a full stop. Empty if the name says it. */
  readonly told?: string;
  /** Only the command line has it: a question that is answered beforehand, a file, a form of printing. */
  readonly typed?: true;
  /** It must be given where it is not typed. */
  readonly needed?: true;
  /** The most characters of a text: a sentence has MAX_TEXT, a name 200 unless this says otherwise. */
  readonly max?: number;
  /** The most items of a list. */
  readonly most?: number;
}

/** An option `--like-this` is the property `likeThis` or `like_this`. */
export type OptionSpec =
  | (FieldBounds & { readonly kind: "flag"; readonly short?: string })
  | (FieldBounds & {
      readonly kind: "text";
      readonly value: string;
      readonly short?: string;
      readonly names?: "checkpoints";
    })
  | (FieldBounds & { readonly kind: "texts" | "duration" | "pairs"; readonly value: string })
  | (FieldBounds & {
      readonly kind: "number";
      readonly value: string;
      readonly short?: string;
      readonly minimum: number;
      readonly maximum?: number;
      /** May be typed before it, as it is shown: `T2` is 2. */
      readonly letter?: string;
    })
  | (FieldBounds & { readonly kind: "choice"; readonly choices: readonly string[] });

export type ArgumentSpec =
  | (FieldBounds & {
      readonly kind: "required" | "optional" | "rest";
      readonly value: string;
      /** What it names, where its value alone does not tell: completion offers these. */
      readonly names?: "checkpoints";
    })
  | (FieldBounds & { readonly kind: "choice"; readonly value: string; readonly choices: readonly string[] });

/** Texts, numbers and yes or no, by name. It cannot be typed. */
type ValuesSpec = FieldBounds & { readonly kind: "values" };

interface Described {
  readonly arguments?: Readonly<Record<string, ArgumentSpec>>;
  readonly options?: Readonly<Record<string, OptionSpec>>;
  readonly wire?: Readonly<Record<string, FieldSpec>>;
}

/** What the parser makes of a command's arguments and options, as one object. */
export type OptionsOf<Entry extends Described> = {
  readonly [Name in keyof Entry["arguments"]]: TypedArgument<Entry["arguments"][Name]>;
} & {
  readonly [Name in keyof Entry["options"]]: TypedOption<Entry["options"][Name]>;
};

type TypedArgument<Argument> = Argument extends { kind: "optional" } ? string | undefined : ValueOf<Argument>;

type TypedOption<Option> = Option extends { kind: "flag" | "texts" | "pairs" }
  ? ValueOf<Option>
  : ValueOf<Option> | undefined;

type ValueOf<Field> = Field extends { kind: "flag" }
  ? boolean
  : Field extends { kind: "number" | "duration" }
    ? number
    : Field extends { kind: "texts" | "rest" }
      ? readonly string[]
      : Field extends { kind: "pairs" }
        ? readonly (readonly [string, string])[]
        : Field extends { kind: "values" }
          ? Readonly<Record<string, string | number | boolean>>
          : Field extends { kind: "choice"; choices: readonly (infer Choice)[] }
            ? Choice
            : string;

/** What a verb takes: everything but what is only typed. */
export type InputOf<Entry extends Described> = InputOfFields<
  PartOf<Entry, "arguments"> & PartOf<Entry, "options"> & PartOf<Entry, "wire">
>;

// oxlint-disable-next-line typescript/no-empty-object-type -- An entry without a part has no fields there.
type PartOf<Entry, Part extends string> = Entry extends Readonly<Record<Part, infer Fields>> ? Fields : {};

type InputOfFields<Fields> = {
  readonly [Name in keyof Fields as Fields[Name] extends Needed ? Untyped<Fields, Name> : never]: ValueOf<
    Fields[Name]
  >;
} & {
  readonly [Name in keyof Fields as Fields[Name] extends Needed ? never : Untyped<Fields, Name>]?:
    | ValueOf<Fields[Name]>
    | undefined;
};

type Untyped<Fields, Name extends keyof Fields> = Fields[Name] extends { typed: true } ? never : Name;

/** What must be given: the arguments that are no option, and what says so. */
type Needed = { kind: "required" | "rest" } | { needed: true } | { kind: "choice"; value: string };
