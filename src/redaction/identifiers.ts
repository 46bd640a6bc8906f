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
