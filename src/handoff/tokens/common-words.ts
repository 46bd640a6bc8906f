/**
 * Frequent words of five letters and more that every family's tokenizer is likely to know as one piece. Other words
 * are charged by their letters.
 */
export const COMMON_WORDS: ReadonlySet<string> = new Set(
  `
  about above action added after again agent alias allow already always another apply approval argument
  arguments array assert async author available await before being below binary block boolean branch
  browser build cache called cannot catch change changed changes character check checks child class clean
  client close column command commands comment commit common compile complete config configuration connect
  connection console const constructor contains content context continue control convert could count
  create created current custom database declare default defined delete dependencies dependency describe
  description directory disabled document documentation duration during either element email empty enable
  enabled engine entries entry equal error errors event every example exception execute exists expect
  expected export exports expression extends external failed failure false feature field fields files
  filter finally first fixed folder follow following format found function generate global group handle
  header hello import include includes index input inside install instance instead integer interface
  internal invalid issue issues items keyword label language large latest length level library license
  limit lines links literal local locale login manager master match maximum memory merge message method
  methods minimum missing model module modules multiple named names native needs network never nodes
  nothing notice number object objects option optional options order origin other output owner package
  param parameter params parent parse parser paths pattern pending permission person place plain platform
  please plugin pointer points policy position possible prefix present private process production progress
  project promise properties property prototype provide provided public query range rather ready reason
  receive record reference regex release remove rename render replace report repository request require
  required reset resolve resource response result return returns rules runtime schema scope script scripts
  search second section select server service session should simple since single small source specific
  stack start started state statement static status still storage store stream strict string strings style
  success support switch symbol syntax system table target template tests their there these thing those
  through throw timeout title token tools transaction transform trigger tuple typeof types undefined union
  unique unknown update updated usage users using valid value values variable variables version warning
  watch where whether which while white width window within without worker world would write written wrong
  `
    .trim()
    .split(/\s+/),
);
