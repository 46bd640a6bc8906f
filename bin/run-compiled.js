// Runs a bundle with the code that V8 compiled for it in earlier runs: compiling is most of what a start takes.
const fs = require("node:fs");
const { dirname, isAbsolute, join } = require("node:path");
const { crc32 } = require("node:zlib");

/** One run does not use everything, so a few more add what they compiled. */
const RUNS_TO_LEARN = 5;
const MONTH_MS = 30 * 24 * 60 * 60 * 1000;

/** Returns what the bundle exports. Each command keeps its own code: what one has learned says nothing of another. */
exports.runCompiled = (bundle, command) => {
  const source = fs.readFileSync(bundle, "latin1");
  const kept = readKept(`${/^[a-z]+$/.test(command) ? command : "other"}-${source.slice(2, 18)}`);
  const script = new (require("node:vm").Script)(source, { filename: bundle, cachedData: kept.code });
  const runs = script.cachedDataRejected ? 0 : kept.runs;
  if (runs < RUNS_TO_LEARN)
    process.once("exit", (status) => status === 0 && keep(kept.file, script.createCachedData(), runs + 1));
  const module = { exports: {} };
  script.runInThisContext()(module.exports, require, module, bundle, dirname(bundle));
  return module.exports;
};

function readKept(name) {
  // In the user's own cache folder: one in the temporary folder could be planted by others.
  const { HOME, LOCALAPPDATA, XDG_CACHE_HOME, NODE_DISABLE_COMPILE_CACHE } = process.env;
  let caches = XDG_CACHE_HOME || (HOME && join(HOME, ".cache"));
  if (process.platform === "darwin") caches = HOME && join(HOME, "Library/Caches");
  if (process.platform === "win32") caches = LOCALAPPDATA;
  // A relative one would be wherever the command happens to run.
  if (!caches || !isAbsolute(caches) || NODE_DISABLE_COMPILE_CACHE) return {};
  // A service user's home may exist in name only.
  if (!fs.existsSync(dirname(caches))) return {};
  const folder = join(caches, "cairn/code");
  const file = join(folder, `${name}-${process.version}-${process.arch}`);
  try {
    // V8 does not validate cached code, so nobody else may have put it there.
    const { uid, mode } = fs.lstatSync(folder);
    if (process.geteuid && (uid !== process.geteuid() || mode & 0o022)) return {};
    const bytes = fs.readFileSync(file);
    const code = bytes.subarray(0, -5);
    // V8 does not check it: a flipped bit would crash every start from then on.
    if (crc32(code) === bytes.readUInt32LE(code.length)) return { file, code, runs: bytes.at(-1) };
  } catch {} // Missing or unreadable: this start does without.
  return { file, runs: 0 };
}

/** Written whole and durably before it gets its name. */
function keep(file, code, runs) {
  const [folder, unfinished] = [dirname(file), `${file}.${process.pid}`];
  const bytes = Buffer.concat([code, Buffer.of(0, 0, 0, 0, runs)]);
  bytes.writeUInt32LE(crc32(code), code.length);
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    fs.writeFileSync(unfinished, bytes, { mode: 0o600, flag: "wx", flush: true });
    fs.renameSync(unfinished, file);
    for (const old of runs === 1 ? fs.readdirSync(folder).map((name) => join(folder, name)) : [])
      if (fs.statSync(old).mtimeMs < Date.now() - MONTH_MS) fs.rmSync(old, { force: true });
  } catch {
    // Best effort: the next start is just slower. What was not finished goes with what is old.
  }
}
