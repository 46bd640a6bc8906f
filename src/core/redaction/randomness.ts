import { looksRandom } from "./looks-random.ts";

/** Shorter strings that look random are too often names. */
export const MIN_TOKEN_LENGTH = 22;
const MIN_RANDOM_LENGTH = 24;
/** Longer ones are data: no secret in a header is that long. */
const MAX_RANDOM_LENGTH = 256;

/**
 * Whether a token of letters, digits and `_ - + /` looks random enough to be a secret with nothing beside it that says so. Letters of one case
 * say less, so such a token must be longer.
 */
export function isRandomToken(
  token: string,
  minLength: number = MIN_RANDOM_LENGTH,
  minLengthInOneCase: number = 30,
): boolean {
  const { length } = token;
  if (length < minLength || length > MAX_RANDOM_LENGTH || SVG_PATH.test(token)) return false;
  if (/^(?:[A-Za-z]{2,20}[_-]){1,6}[0-9a-f]{8,160}$/.test(token)) return false;
  // Base64 has a separator at every 32nd character, words joined by dashes or slashes at every sixth.
  if ((token.match(/[^A-Za-z0-9]/g) ?? []).length > 1 + length / 10) return false;
  if (!/[a-z]/.test(token) || !/[A-Z]/.test(token)) {
    if (length < minLengthInOneCase || !/^[A-Za-z0-9]+$/.test(token)) return false;
    // Capitals only as base32 has them, or bank accounts would look random; they have at most 34 characters.
    if (minLengthInOneCase >= 30 && length < 35 && /[A-Z]/.test(token) && !/^[A-Z2-7]+$/.test(token))
      return false;
  }
  return looksRandom(token, length < MIN_RANDOM_LENGTH ? 6 : 10) && isVaried(token);
}

/** The path of a drawing in SVG: `M240-160h480v-400H240v400Z` */
const SVG_PATH = /^[MmLlHhVvCcSsQqTtAaZz0-9.-]+$/;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TWO_UUIDS = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-?){2}$/i;
const HASH_LIKE = /^(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{32,160}$/i;
/** What says whose key it is, or what for; a number may be an account's. */
const PREFIX_WORD = /^(?:[A-Za-z][A-Za-z0-9]{0,11}|[0-9]{4,12})$/;
const MAX_PREFIX_WORDS = 4;
const KEY_WORDS =
  /(?:^|[_.-])(?:[a-z]{0,2}sk|[prs]k|ak|[a-z]{0,8}key|api|pat|tok|[a-z]{0,8}token|secret|sec|pass|auth|oauth|access|priv|private|live|test|personal|ingest|bot|svc|srv|sa)[_.-]/i;
const HEX_GROUPS = /^(?=[0-9a-f_-]{40})[0-9a-f]{8,64}(?:[_-][0-9a-f]{8,64}){1,3}$/;

/**
 * Whether a token is a key that begins with the name or the initials of its service, as `csk-…`, `bkua_…` or
 * `sk-lf-<uuid>`: what follows needs to look less random than a token without such a beginning.
 */
export function isPrefixedKey(token: string): boolean {
  if (token.length > MAX_RANDOM_LENGTH || isNamedObject(token)) return false;
  let start = 0;
  for (let words = 0; words < MAX_PREFIX_WORDS; words += 1) {
    const joint = token.slice(start, start + 14).search(/[_.-]/);
    if (joint < 0 || !PREFIX_WORD.test(token.slice(start, start + joint))) return false;
    start += joint + 1;
    if (isBody(token.slice(start), token.slice(0, start))) return true;
  }
  return false;
}

function isBody(body: string, prefix: string): boolean {
  const isKey = KEY_WORDS.test(prefix);
  // Programs join names by dots, too.
  if (!isKey && prefix.includes(".")) return false;
  // `sk-acme-4f7d2k1-9x3b5m8-…`
  const groups = isKey
    ? /^[A-Za-z0-9]{4,64}(?:[_-][A-Za-z0-9]{4,64}){1,6}$/
    : /^[a-z0-9]{12,24}(?:-[a-z0-9]{12,24}){1,3}$/;
  if (groups.test(body) && isRandomToken(body.replaceAll(/[_-]/g, ""), 20, 20)) return true;
  if (TWO_UUIDS.test(body)) return true;
  if (UUID.test(body) || HASH_LIKE.test(body) || HEX_GROUPS.test(body)) return isKey || areInitials(prefix);
  if (isKey && body.length >= 20 && /^[A-Za-z0-9]+$/.test(body) && looksRandom(body)) return true;
  // Words may go on: only what follows the last one is the key.
  return !/^[A-Za-z]{2,12}[_-]/.test(body) && isRandomToken(body, isKey ? 16 : 20, isKey ? 20 : 24);
}

/** `bkua_`, `fc-`: not a word, or joined as no file name is. */
function areInitials(prefix: string): boolean {
  return (
    /^(?:(?:[a-z0-9]{2,12}_){1,3}|[A-Z]{2,12}_)$/.test(prefix) || /^[b-df-hj-np-tv-z]{2,4}-$/.test(prefix)
  );
}

/** Whether a value that has a secret's name looks made by a machine: here, hexadecimal digits do, too. */
export function isGenerated(value: string): boolean {
  if (value.length < 12 || value.length > 4096 || /\s/.test(value)) return false;
  if (looksRandom(value, /[0-9]/.test(value) ? 5 : 10)) return true;
  if (value.length < 16) return false;
  // Some keys are pairs: `id:secret`.
  return value
    .split(/[:.$]/)
    .some(
      (part) =>
        UUID.test(part) ||
        /^[0-9]{20,64}$/.test(part) ||
        /^(?:0x)?(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{20,160}$/i.test(part) ||
        HASH_LIKE.test(part.slice(part.search(/[_-][0-9a-f]{32,160}$/i) + 1)) ||
        isRandomToken(part, 16, 16) ||
        isPrefixedKey(part),
    );
}

/** Whether the characters differ as much as random ones do: by Shannon's entropy, in bits a character. */
function isVaried(token: string): boolean {
  const counts = new Map<string, number>();
  for (const character of token) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / token.length) * Math.log2(count / token.length);
  return bits >= Math.min(3.7, 0.85 * Math.log2(token.length));
}

/** What services and tools call their objects, which they number at random: `run_…`, `req-…`. */
const OBJECTS: ReadonlySet<string> = new Set(
  `toolu srvtoolu account acct agent ami app asset asst backup batch blob block build cache call ch chatcmpl chunk
   ckpt client cluster cmd cmpl commit conn container cs csi css ctx cus customer data db deploy
   deployment device doc eni entry event evt file fs ft gen group hash id igw image img in index
   invoice item job js layer lb log main md5 module mr msg node ns object order org page pi pkg pm pod
   pr price prod product proj project pv pvc record ref release report req request resp row rs rtb run
   service sess session seti sg snap snapshot span src stack step style sub svc task team temp test
   thread tmp trace tree ts tx uid upload user usr uuid vendor vm vol vpc web worker ws`.split(/\s+/),
);

/** Whether a token begins as ids do: with the name of an object, or a version. */
export function isNamedObject(token: string): boolean {
  const word = /^([A-Za-z0-9]{1,12})[_-]/.exec(token)?.[1]?.toLowerCase() ?? "";
  // Functions are called `fc_…`, but `fc-…` is a key.
  return OBJECTS.has(word) || /^(?:sha[0-9]{0,3}|v[0-9]{1,2})$/.test(word) || token.startsWith("fc_");
}

/** Ids that look random: ULID, KSUID, IPFS, hashes, public keys. */
export const IDS: RegExp =
  /^(?:[0-7][0-9A-HJKMNP-TV-Z]{25}|[0-3][0-9A-Za-z]{26}|Qm[1-9A-HJ-NP-Za-km-z]{44}|baf[a-z2-7]{50,80}|sha[0-9]{1,3}[-_].*|AAAA(?:B3Nz|C3Nz|E2Vj|G[a-z]).*|(?:MFkwEwYHKoZI|MIIBIjANBgkq|MCowBQYDK2Vw).*)$/;
