import type { JsonObject } from "../objects/json.ts";
import { textOf } from "../text/untrusted.ts";
import { cachedKeyKind, type KeyKind } from "./key-names.ts";

/** The private members of a JSON Web Key, whose names alone say nothing. */
const JWK_MEMBERS = new Set(["d", "p", "q", "dp", "dq", "qi", "k"]);

/**
 * What the name of a property says about its value, with its neighbours taken into account:
 * `{name: "DB_PASSWORD", value: …}`, `{user: …, pass: …}`, `{kty: …, d: …}`.
 */
export function propertyKind(owner: JsonObject, key: string): KeyKind {
  if (key === "value") return nameKind(textOf(owner, "name", "key", "Name", "variable"));
  if (key === "Value") return nameKind(textOf(owner, "Name", "Key"));
  if (key === "pass" || key === "pwd")
    return textOf(owner, "user", "username", "login", "email") === undefined ? "weak" : "password";
  if (JWK_MEMBERS.has(key) && textOf(owner, "kty") !== undefined) return "secret";
  return cachedKeyKind(key);
}

function nameKind(name: string | undefined): KeyKind {
  return name !== undefined && /^[\w.-]{1,96}$/.test(name) ? cachedKeyKind(name) : "plain";
}
