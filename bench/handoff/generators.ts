import type { Random } from "./random.ts";

const SERVICES = [
  "vault",
  "ledger",
  "dragonfly",
  "gateway",
  "scheduler",
  "indexer",
  "auth",
  "billing",
  "mailer",
  "worker",
];
const LEVELS = ["INFO", "WARN", "ERROR", "DEBUG", "info", "warn", "error"];
const EVENTS = [
  "connection refused",
  "retrying request",
  "lease renewed",
  "cache miss",
  "token expired",
  "job finished",
  "migration applied",
  "health check failed",
  "queue depth exceeded",
  "handshake timed out",
  "row lock released",
  "compaction started",
  "unexpected end of stream",
  "permission denied",
  "snapshot written",
  "leader elected",
];
const FUNCTIONS = [
  "commitHead",
  "readObjects",
  "openStore",
  "renderHandoff",
  "applyDelta",
  "parseArgs",
  "walkTree",
  "acquireLock",
];

/** Log lines as servers, test runners and shells print them: stamps, addresses, ids, stack traces. */
export function logText(random: Random, lines: number): string {
  const style = random.integer(0, 4);
  return Array.from({ length: lines }, () => logLine(random, style)).join("\n");
}

function logLine(random: Random, style: number): string {
  const service = random.pick(SERVICES);
  const event = random.pick(EVENTS);
  const level = random.pick(LEVELS);
  switch (style) {
    case 0:
      return `${isoStamp(random)} ${level} [${service}] ${event} request_id=${uuid(random)} duration_ms=${random.integer(1, 90_000)}`;
    case 1:
      return `${ip(random)} - - [${random.integer(10, 28)}/Nov/2026:${clock(random)} +0000] "GET /api/v${random.integer(1, 3)}/${service}/${random.integer(1, 99_999)} HTTP/1.1" ${random.pick([200, 201, 304, 404, 500, 503])} ${random.integer(100, 99_999)}`;
    case 2:
      return `Nov ${random.integer(10, 28)} ${clock(random)} host-${random.integer(1, 40)} ${service}[${random.integer(300, 32_000)}]: ${event} (peer ${ip(random)}:${random.integer(1024, 65_535)}, code 0x${hex(random, 8)})`;
    case 3:
      return random.chance(0.4)
        ? `Error: ${event.toUpperCase().replaceAll(" ", "_")}: ${event}, ${random.pick(FUNCTIONS)} '/var/lib/${service}/${hex(random, 12)}.db'`
        : `    at ${random.pick(FUNCTIONS)} (/srv/app/src/${service}/${random.pick(FUNCTIONS)}.ts:${random.integer(1, 900)}:${random.integer(1, 80)})`;
    default:
      return JSON.stringify({
        level: random.integer(10, 60),
        time: 1_794_000_000_000 + random.integer(0, 9e9),
        pid: random.integer(2, 32_000),
        name: service,
        msg: event,
        sha: hex(random, 40),
      });
  }
}

/** JSON as tools answer: nested, with ids, stamps, flags and free text. Pretty or compact. */
export function jsonText(random: Random, size: number): string {
  const rows = Array.from({ length: size }, () => ({
    id: random.chance(0.5) ? uuid(random) : random.integer(1, 1e6),
    name: `${random.pick(SERVICES)}-${random.integer(1, 99)}`,
    status: random.pick(["available", "pending", "failed", "in_progress"]),
    updated_at: isoStamp(random),
    labels: {
      owner: random.pick(["ada", "grace", "linus"]),
      critical: random.chance(0.3),
      weight: random.integer(0, 1000) / 8,
    },
    message: random.chance(0.5) ? `${random.pick(EVENTS)} after ${random.integer(1, 9)} attempts` : null,
    paths: Array.from(
      { length: random.integer(0, 3) },
      () => `/srv/${random.pick(SERVICES)}/${random.pick(FUNCTIONS)}.ts`,
    ),
  }));
  return JSON.stringify({ items: rows, next_page_token: base64(random, 24) }, null, random.pick([0, 2, 4]));
}

/** A unified diff made by editing real source lines. */
export function diffText(random: Random, source: readonly string[]): string {
  const path = `src/${random.pick(SERVICES)}/${random.pick(FUNCTIONS)}.ts`;
  const out = [
    `diff --git a/${path} b/${path}`,
    `index ${hex(random, 7)}..${hex(random, 7)} 100644`,
    `--- a/${path}`,
    `+++ b/${path}`,
  ];
  for (let at = 0; at + 12 < source.length; at += random.integer(12, 30)) {
    const hunk = source.slice(at, at + random.integer(6, 12));
    out.push(`@@ -${at + 1},${hunk.length} +${at + 2},${hunk.length + 1} @@`);
    for (const line of hunk) {
      if (random.chance(0.25)) out.push(`-${line}`, `+${line.replace(/\w+/, random.pick(FUNCTIONS))}`);
      else out.push(random.chance(0.15) ? `+${line}` : ` ${line}`);
    }
  }
  return out.join("\n");
}

/** What tokenizers like least: base64, hex digests and UUIDs. */
export function noiseText(random: Random, lines: number): string {
  const make = random.pick([
    () => base64(random, 76),
    () => hex(random, 64),
    () => `${uuid(random)} ${isoStamp(random)}`,
  ]);
  return Array.from({ length: lines }, make).join("\n");
}

export function hex(random: Random, length: number): string {
  return Array.from({ length }, () => random.integer(0, 15).toString(16)).join("");
}

export function uuid(random: Random): string {
  return [8, 4, 4, 4, 12].map((length) => hex(random, length)).join("-");
}

export function base64(random: Random, length: number): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  return Array.from({ length }, () => alphabet[random.integer(0, 63)]).join("");
}

export function isoStamp(random: Random): string {
  return `2026-${two(random.integer(1, 12))}-${two(random.integer(1, 28))}T${clock(random)}.${random.integer(100, 999)}Z`;
}

function clock(random: Random): string {
  return `${two(random.integer(0, 23))}:${two(random.integer(0, 59))}:${two(random.integer(0, 59))}`;
}

function ip(random: Random): string {
  return Array.from({ length: 4 }, () => random.integer(1, 254)).join(".");
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

const ICONS = [
  "✅",
  "❌",
  "⚠️",
  "🚀",
  "→",
  "•",
  "…",
  "—",
  "“quoted”",
  "✓",
  "│",
  "├──",
  "└──",
  "═══",
  "±",
  "≤",
  "×",
  "µ",
  "€",
  "🔥",
  "📦",
  "▶",
];
const SCRIPTS = ["ar", "he", "th", "hi", "bn", "ta", "el", "ka", "hy", "vi", "fa", "uk"];

/** Status lines with symbols and emoji, as agents and test runners write them. */
export function symbolText(random: Random, lines: number): string {
  const one = (): string =>
    `${random.pick(ICONS)} ${random.pick(EVENTS)} ${random.pick(ICONS)} ${random.pick(SERVICES)} ${random.pick(ICONS)}`;
  return Array.from({ length: lines }, one).join("\n");
}

/** Words of scripts that no installed package is written in: what ICU calls regions and languages there. */
export function scriptText(random: Random, lines: number): string {
  const locale = random.pick(SCRIPTS);
  const regions = new Intl.DisplayNames([locale], { type: "region" });
  const languages = new Intl.DisplayNames([locale], { type: "language" });
  const one = (): string =>
    `${regions.of(random.pick(["DE", "FR", "JP", "BR", "EG", "IN", "US", "ZA", "NO", "GR"]))} ${languages.of(random.pick(["de", "fr", "ja", "pt", "ar", "hi", "en", "el"]))}`;
  return Array.from({ length: lines }, () => `${one()} ${one()} ${one()}`).join("\n");
}

const CHINESE_STARTS = [
  "昨天的部署之后",
  "在第二个阶段",
  "根据评审意见",
  "为了避免重复执行",
  "当上下文窗口用完时",
  "测试失败的原因是",
  "目前",
  "如果网关返回错误",
  "在合并之前",
  "我们已经确认",
];
const CHINESE_SUBJECTS = [
  "检查点服务",
  "登录模块",
  "数据库迁移脚本",
  "代理",
  "任务队列",
  "会话令牌",
  "缓存层",
  "审计日志",
  "负责人",
  "工作流的第三步",
  "备份程序",
  "配置文件",
];
const CHINESE_ACTIONS = [
  "需要重新启动",
  "没有保存最后一次修改",
  "已经通过全部测试",
  "会在五分钟后超时",
  "被另一个进程锁定",
  "必须先得到批准",
  "占用了太多内存",
  "仍然使用旧的接口",
  "可以安全地恢复",
  "正在等待人工确认",
  "缺少必要的权限",
  "返回了不完整的结果",
];
const CHINESE_ENDS = [
  "，所以不要修改公共接口。",
  "，请先查看日志再继续。",
  "；原因还不清楚。",
  "，下一步是运行端到端测试。",
  "。",
  "，否则数据可能会丢失。",
  "，这一点已经写入决定。",
  "（见提交记录）。",
];

/** Plain Chinese sentences about agent work. */
export function chineseText(random: Random, sentences: number): string {
  const one = (): string =>
    `${random.pick(CHINESE_STARTS)}，${random.pick(CHINESE_SUBJECTS)}${random.pick(CHINESE_ACTIONS)}${random.pick(CHINESE_ENDS)}`;
  return Array.from({ length: sentences }, () => `${one()}${random.chance(0.4) ? "\n" : ""}`).join("");
}

const ALPHABETS: readonly string[] = [
  "abcdefghijklmnopqrstuvwxyz",
  "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  "!@#$%^&*()_+-=[]{};:'\",./<>?|~",
  "абвгдежзийклмнопрстуфхцчшщъыьэюя",
  "אבגדהוזחטיכלמנסעפצקרשת",
];

/** Words that nobody ever wrote: random letters of one alphabet. The estimator is only bounded, not fitted, on these. */
export function gibberishText(random: Random, words: number): string {
  const letters = Array.from(random.pick(ALPHABETS));
  const one = (): string => Array.from({ length: random.integer(2, 9) }, () => random.pick(letters)).join("");
  return Array.from({ length: words }, one).join(" ");
}
