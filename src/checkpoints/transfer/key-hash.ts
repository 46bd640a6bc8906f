/**
 * A key as a number of 53 bits: enough to tell the keys of a map apart without keeping them. Whoever makes two keys
 * collide only gets his own file refused.
 */
export function keyHash(key: string): number {
  let [low, high] = [0x811c9dc5, 0x9747b28c];
  for (let index = 0; index < key.length; index++) {
    const char = key.charCodeAt(index);
    low = Math.imul(low ^ char, 0x01000193);
    high = Math.imul((high ^ char) + (low >>> 13), 0x85ebca6b);
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}
