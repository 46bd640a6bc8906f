import type { Json, JsonObject } from "../objects/json.ts";
import { cachedKeyKind, type KeyKind } from "./key-names.ts";

/** The private members of a JSON Web Key, whose names alone say nothing. */
const JWK_MEMBERS = new Set(["d", "p", "q", "dp", "dq", "qi", "k"]);

/**
 * What the name of a property says about its value, with its neighbours taken into account:
 * `{name: "DB_PASSWORD", value: …}`, `{user: …, pass: …}`, `{kty: …, d: …}`.
 */
export function propertyKind(owner: JsonObject, key: string): KeyKind {
  if (key === "value")
    return nameKind(own(owner, "name") ?? own(owner, "key") ?? own(owner, "Name") ?? own(owner, "variable"));
  if (key === "Value") return nameKind(own(owner, "Name") ?? own(owner, "Key"));
  if (key === "pass" || key === "pwd") {
    const user = own(owner, "user") ?? own(owner, "username") ?? own(owner, "login") ?? own(owner, "email");
    return typeof user === "string" ? "password" : "weak";
  }
  if (JWK_MEMBERS.has(key) && typeof own(owner, "kty") === "string") return "secret";
  return cachedKeyKind(key);
}

function nameKind(name: Json | undefined): KeyKind {
  return typeof name === "string" && /^[\w.-]{1,96}$/.test(name) ? cachedKeyKind(name) : "plain";
}

function own(owner: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(owner, key) ? owner[key] : undefined;
}
