import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type * as Verbs from "../../src/doors/library/project.ts";
import { findCacheServer, startCacheServer } from "../../tests/remote/support/cache-server.ts";
import { startS3Server } from "../../tests/remote/support/s3-server.ts";
import { atMost, type Bench, type Figure } from "../figure.ts";
import { Samples } from "../measure.ts";
import { timeAndCpu } from "../units.ts";

// The build, because what is measured must be what ships.
const built = (path: string) => new URL(`../../dist/${path}`, import.meta.url).href;

const PUSHES = 60;
const READS = 40;

export const cache: Figure = {
  name: "cache",
  title: `The newest checkpoint of another machine's trail, pushed ${PUSHES} times, over a cache and over S3, in turn`,
  measure: async (bench) => {
    bench.progress.step("cache");
    const program = findCacheServer("Redis");
    const from = "no redis-server here";
    const figure = "reading the latest over the cache / over S3";
    if (program === undefined) return [{ figure, measured: "-", verdict: "void", from }];
    const verbs = (await import(built("doors/library/project.js"))) as typeof Verbs;
    const [server, s3] = [await startCacheServer(program), await startS3Server()];
    try {
      const keys = { AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret" };
      const writer = projectIn(bench, verbs, { ...keys, CHECKPOINT_CACHE: server.url });
      const [cached, plain] = [
        projectIn(bench, verbs, { ...keys, CHECKPOINT_CACHE: server.url }),
        projectIn(bench, verbs, keys),
      ];
      const remote = { name: "origin", url: `s3://bucket/bench?endpoint=${s3.endpoint}` };
      for (const project of [writer, cached, plain]) await verbs.remoteAdd(project, remote);
      for (let i = 0; i < PUSHES; i++) {
        await verbs.decide(writer, { what: `Decision ${i}`, why: "Because it is so" });
        await verbs.push(writer, { trail: "main" });
      }
      const [overCache, overS3] = [new Samples(), new Samples()];
      let [hits, requests] = [0, 0];
      for (let i = 0; i < READS; i++) {
        const shown = await overCache.time(() => verbs.remoteShow(cached, { trail: "main" }));
        if (shown.source === "cache") hits++;
        const before = s3.requests.length;
        await overS3.time(() => verbs.remoteShow(plain, { trail: "main" }));
        requests = s3.requests.length - before;
      }
      for (const { stores } of [writer, cached, plain]) await stores.close();
      return [
        atMost(
          figure,
          overCache.p50 / overS3.p50,
          { must: 0.3 },
          `${timeAndCpu(overCache)}, ${hits} of ${READS} from the cache; S3 without latency ${timeAndCpu(overS3)}, ${requests} requests`,
        ),
      ];
    } finally {
      await server.stop();
      await s3.close();
    }
  },
};

function projectIn({ place }: Bench, verbs: typeof Verbs, env: Record<string, string>): Verbs.Project {
  const home = place.newFolder();
  const path = join(home, "project");
  mkdirSync(path);
  return verbs.openProject({ path, env: { HOME: home, ...env } });
}
