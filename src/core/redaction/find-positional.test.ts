import { describe, expect, it } from "vitest";

import { createRedactor } from "./redactor.ts";

const { redact, redactText } = createRedactor();

describe("passwords in commands and sentences", () => {
  it.each([
    "mc alias set local http://127.0.0.1:9000 minioadmin ‹miniosecret99›",
    "mc  alias set  local http://127.0.0.1:9000 minioadmin ‹miniosecret99›",
    "mc --insecure alias set local http://127.0.0.1:9000 minioadmin ‹miniosecret99›",
    "mc alias set \\\n  local http://127.0.0.1:9000 minioadmin ‹miniosecret99›",
    "mc alias set local http://127.0.0.1:9000 'minio admin' '‹two words›'",
    "mcli alias set local http://127.0.0.1:9000 minioadmin ‹miniosecret99›",
    "mc admin user add local bob ‹miniosecret99›",
    "docker run --entrypoint htpasswd httpd:2 -Bbn admin ‹swordfish› > auth",
    "htpasswd -b -C 10 .htpasswd admin ‹swordfish2›",
    'pg_dump "service=shop password=‹swordfish›"',
    "htpasswd -b .htpasswd admin ‹swordfish2›",
    "sudo htpasswd -c -b /etc/nginx/.htpasswd admin '‹correct horse›'",
    "htpasswd  -nbB admin ‹MyPassw0rd›",
    'psql "host=db user=app password=‹swordfish› dbname=shop"',
    'psql "password=‹swordfish› host=db"',
    "log in as admin and password: ‹MyPassw0rd!2024› for the demo",
    "try password=‹MyPassw0rd!2024› once",
  ])("are found: %s", (marked) => {
    const text = marked.replaceAll(/[‹›]/g, "");
    expect(redactText(text).value).toBe(marked.replaceAll(/‹.*?›/g, "[redacted:password]"));
  });

  it("are found in a list of words too", () => {
    const words = ["mc", "alias", "set", "local", "http://127.0.0.1:9000", "admin", "two words"];
    expect(redact(words).value).toEqual([...words.slice(0, -1), "[redacted:password]"]);
    expect(
      redact(["docker", "exec", "web", "htpasswd", "-b", "users", "bob", "swordfish"]).value.at(-1),
    ).toBe("[redacted:password]");
    expect(redact(["sudo", "htpasswd", "-b", "users", "bob", "swordfish2"]).value.at(-1)).toBe(
      "[redacted:password]",
    );
  });

  it.each([
    "connect(host=db, password=secret)",
    "the password: passwordHash2 is compared",
    "alias set up for mc in your shell, see above for more",
    "readonly COMPRESSED_SRGB8_ALPHA8_ASTC_10x5_KHR: 0x93D8;",
  ])("are not found in %s", (text) => {
    expect(redactText(text).value).toBe(text);
  });
});
