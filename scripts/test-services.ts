// npm run test:services: the tests with real services. Moto comes as Debian's package, unpacked into a cache folder and
// nowhere else; what it needs of Python must be there (on Debian: apt-get install python3-boto3 python3-flask
// python3-flask-cors python3-responses python3-xmltodict python3-antlr4). Older ones than 5.2 accept stale conditions.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { toolPath } from "./steps.ts";

const MOTO = {
  url: "http://deb.debian.org/debian/pool/main/p/python-moto/python3-moto_5.2.4-1_all.deb",
  sha256: "95e2bbc4e8dd76bc47bb0998b1054f213c5a607e7e0cbefb25b443049acfa5cf",
};

const folder = resolve("node_modules/.cache/cairn-services");
const moto = process.env["CAIRN_TEST_MOTO"] ?? join(folder, "moto/usr/lib/python3/dist-packages");
if (!existsSync(moto)) await unpackMoto();
const args = [toolPath("vitest"), "run", "tests/services", ...process.argv.slice(2)];
const env = { ...process.env, CAIRN_TEST_MOTO: moto };
process.exitCode = spawnSync(process.execPath, args, { stdio: "inherit", env }).status ?? 1;

async function unpackMoto(): Promise<void> {
  console.log(`Fetching ${MOTO.url} (6 MB, once) …`);
  const answer = await fetch(MOTO.url);
  const bytes = Buffer.from(await answer.arrayBuffer());
  // Debian keeps only the newest version under such an address; others are on snapshot.debian.org.
  if (createHash("sha256").update(bytes).digest("hex") !== MOTO.sha256)
    throw new Error(`${MOTO.url} is not the package that was asked for (status ${answer.status}).`);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "moto.deb");
  writeFileSync(file, bytes);
  const { status } = spawnSync("dpkg-deb", ["-x", file, join(folder, "moto")], { stdio: "inherit" });
  if (status !== 0) throw new Error("dpkg-deb could not unpack it.");
}
