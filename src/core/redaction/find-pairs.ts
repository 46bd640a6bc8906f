import { isReference } from "./find-random.ts";
import { quotedValueAt, shellValueAt } from "./names-and-values.ts";
import type { Span } from "./span.ts";
import { looksRandom } from "./looks-random.ts";

/** A user or an id, with the domain or the mail address that belongs to it, after a blank, a mark or the name of an option. */
const USER = /(?:^|[\s"'`=,([|>\\])(?!sha[0-9]{1,3}$)[A-Za-z][\w.@+/\\-]{1,62}$/;
const MAX_USER_LENGTH = 64;

/**
 * Adds the password of a pair `user:password` or `id:secret` whose colon is at `index`, if it looks random: after the option of
 * any command (`etcdctl --user root:…`), in a file of such pairs, before a host (`root:…@db`), or in a sentence.
 */
export function findPair(text: string, index: number, found: Span[]): void {
  if (!/[A-Za-z0-9"'$!@#%^*_.-]/.test(text.charAt(index + 1))) return;
  const value = quotedValueAt(text, index + 1) ?? shellValueAt(text, index + 1);
  if (value === undefined || value.end - value.start < 10 || value.end - value.start > 128) return;
  const password = text
    .slice(value.start, value.end)
    .replace(/@[\w.-]{1,253}(?::[0-9]{1,5})?(?:\/\S*)?$/, "");
  if (
    !/[0-9]/.test(password) ||
    /[(){}[\]<>,;|:]|^[a-z0-9._-]+\//.test(password) ||
    !looksRandom(password, 6)
  )
    return;
  if (!USER.test(text.slice(Math.max(0, index - MAX_USER_LENGTH), index))) return;
  if (isReference(text, index - 1, password) || isReference(text, value.start, password)) return;
  found.push({ start: value.start, end: value.start + password.length, rule: "password" });
}
