// Loaded with --import before the built program: it then believes that it is $CAIRN_TEST_NOW, if that is set, and that
// $CAIRN_TEST_PARENT started it: these tests may themselves be run by an agent's client, from whose shell some commands are refused. The program itself
// knows no such switch, so nobody can date checkpoints wrongly by accident.
const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...args) {
    super(...(args.length === 0 ? [frozen()] : args));
  }

  static now() {
    return frozen();
  }
};

/** Asked each time, because one process may run several commands. */
function frozen() {
  const { CAIRN_TEST_NOW: now } = process.env;
  return now === undefined ? RealDate.now() : RealDate.parse(now);
}

const { ppid } = process;
Object.defineProperty(process, "ppid", { get: () => Number(process.env.CAIRN_TEST_PARENT || ppid) });
