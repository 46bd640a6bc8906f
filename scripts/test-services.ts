// npm run test:services: the tests with real services. Moto and Valkey come as Debian's packages, unpacked into a cache
// folder and nowhere else; what they need must be there (on Debian: apt-get install python3-boto3 python3-flask
// python3-flask-cors python3-responses python3-xmltodict python3-antlr4 redis-server). Older Motos than 5.2 accept stale
// conditions.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { toolPath } from "./steps.ts";

const POOL = "http://deb.debian.org/debian/pool/main";
const MOTO = [
  {
    url: `${POOL}/p/python-moto/python3-moto_5.2.4-1_all.deb`,
    sha256: "95e2bbc4e8dd76bc47bb0998b1054f213c5a607e7e0cbefb25b443049acfa5cf",
  },
];
/** The server is a link to a program of the tools. */
const VALKEY = [
  {
    url: `${POOL}/v/valkey/valkey-server_8.0.1+dfsg1-1~bpo12+1_amd64.deb`,
    sha256: "986d97e75766d9b18c56159dd904337ec0a1222977235cad7ba56ddc4fd856eb",
  },
  {
    url: `${POOL}/v/valkey/valkey-tools_8.0.1+dfsg1-1~bpo12+1_amd64.deb`,
    sha256: "d2c2ea67642fa9571a07138b80ae52ebe566311c952aef25a39c1d5050697853",
  },
];

const folder = resolve("node_modules/.cache/cairn-services");
const moto = process.env["CAIRN_TEST_MOTO"] ?? join(folder, "moto/usr/lib/python3/dist-packages");
if (!existsSync(moto)) for (const each of MOTO) await unpack(each, "moto");
const valkey = process.env["CAIRN_VALKEY_SERVER"] ?? join(folder, "valkey/usr/bin/valkey-server");
if (!existsSync(valkey) && process.arch === "x64") for (const each of VALKEY) await unpack(each, "valkey");
const tests = ["tests/services", "tests/remote/cache.test.ts"];
const args = [toolPath("vitest"), "run", ...tests, ...process.argv.slice(2)];
const env = { ...process.env, CAIRN_TEST_MOTO: moto, CAIRN_VALKEY_SERVER: valkey };
process.exitCode = spawnSync(process.execPath, args, { stdio: "inherit", env }).status ?? 1;

async function unpack({ url, sha256 }: (typeof MOTO)[number], name: string): Promise<void> {
  console.log(`Fetching ${url} (once) …`);
  const answer = await fetch(url);
  const bytes = Buffer.from(await answer.arrayBuffer());
  // Debian keeps only the newest version under such an address; others are on snapshot.debian.org.
  if (createHash("sha256").update(bytes).digest("hex") !== sha256)
    throw new Error(`${url} is not the package that was asked for (status ${answer.status}).`);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.deb`);
  writeFileSync(file, bytes);
  const { status } = spawnSync("dpkg-deb", ["-x", file, join(folder, name)], { stdio: "inherit" });
  if (status !== 0) throw new Error("dpkg-deb could not unpack it.");
}
