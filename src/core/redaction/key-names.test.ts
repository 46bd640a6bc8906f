import { describe, expect, it } from "vitest";
import { keyKind } from "./key-names.ts";

const NAMES: Record<string, string> = {
  password:
    "password db_password DB_PASSWORD dbPassword userPasswd db-passwd passphrase sshKeyPassphrase password2 PASSWORD_PROD old_password passwordHash smtp_pass MYSQL_PWD PGPASSWORD spring.datasource.password",
  secret:
    "secret secrets client_secret clientSecret CLIENT-SECRET api_key apikey apiKey API_KEY_PROD X-Api-Key access_key aws_secret_access_key private_key privateKey privatekey signing_key credential credentials connection_string ConnectionString conn_str jwt webhook_secret recovery_codes seed_phrase OPENAI_KEY",
  token: "token GITHUB_TOKEN authToken access_token refreshToken _authToken tokenValue csrf_token",
  authorization: "authorization Authorization Proxy-Authorization auth_header",
  cookie: "cookie cookies Set-Cookie session_cookie",
  pin: "pin PIN card_pin otp mfa_code cvv",
  weak: "pass pwd auth _auth client_key session_key secret_id",
  reference:
    "id task_id ids session_id token_id access_key_id hash content_hash sha sha256 path file files files_touched head branch url tokenUrl endpoint checksum digest fingerprint public_key next_page_token password_reset_url commit",
  plain:
    "token_count max_tokens tokens estimated_tokens token_budget tokenizer passwordless has_password is_secret key primary_key cache_key keyboard monkey author secretary name value note token_type stop_token password_length passed bypass compass cookie_name authenticated spinning goal status",
};

describe("keyKind", () => {
  for (const [kind, names] of Object.entries(NAMES)) {
    it(`takes such names for ${kind}`, () => {
      const wrong = names.split(" ").filter((name) => keyKind(name) !== kind);
      expect(wrong.map((name) => `${name} is ${keyKind(name)}`)).toEqual([]);
    });
  }

  it("says nothing about an empty name, and reads the end of an endless one", () => {
    expect(keyKind("")).toBe("plain");
    expect(keyKind(`${"x".repeat(10_000)}_password`)).toBe("password");
  });
});
