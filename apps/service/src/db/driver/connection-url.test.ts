import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { aCertificate } from "../../../test/fixtures/a-certificate.js";
import { connectionUrlProblem, parseConnectionUrl } from "./connection-url.js";

const dir = mkdtempSync(join(tmpdir(), "stowage-url-"));
afterAll(() => rmSync(dir, { recursive: true }));
function aFile(name: string, text: string): string {
  writeFileSync(join(dir, name), text);
  return join(dir, name);
}
const { certificate, key } = aCertificate("localhost");
const keyText = key.export({ type: "pkcs8", format: "pem" }).toString();
const files = {
  certificate: aFile("cert.pem", certificate),
  key: aFile("key.pem", keyText),
  otherKey: aFile(
    "other.pem",
    aCertificate("localhost").key.export({ type: "pkcs8", format: "pem" }).toString(),
  ),
  lockedKey: aFile(
    "locked.pem",
    key.export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "hunter2" }).toString(),
  ),
  text: aFile("text.pem", "hunter2"),
};

const withParameters = (parameters: string) => `postgres://u:hunter2@db.example.com/d?${parameters}`;

describe("a connection URL", () => {
  test("is split into its parts", () => {
    expect(
      parseConnectionUrl(
        "postgresql://st%40ff:p%2Fw@db.example.com:6432/my%20files?application_name=x&connect_timeout=3",
      ),
    ).toMatchObject({
      host: "db.example.com",
      port: 6432,
      user: "st@ff",
      password: "p/w",
      database: "my files",
      applicationName: "x",
      connectTimeoutMs: 3000,
    });
  });

  test("has the defaults of libpq", () => {
    expect(parseConnectionUrl("postgres://db.example.com")).toMatchObject({
      port: 5432,
      user: undefined,
      password: undefined,
      database: undefined,
      tls: { encryption: "prefer", verify: "none", negotiation: "postgres", files: {} },
    });
  });

  test.each([
    ["postgres://u@[::1]:6432/d", { host: "::1", port: 6432 }],
    ["postgres://u@%2Fvar%2Frun%2Fpostgresql/d", { host: "/var/run/postgresql", port: 5432 }],
    ["postgres:///d?host=/var/run/postgresql", { host: "/var/run/postgresql", database: "d" }],
    ["postgres:///d", { host: "localhost" }],
  ])("%s names its host", (url, parts) => {
    expect(parseConnectionUrl(url)).toMatchObject(parts);
  });

  test.each([
    ["sslmode=disable", "disable", "none"],
    ["sslmode=allow", "allow", "none"],
    ["sslmode=prefer", "prefer", "none"],
    ["sslmode=require", "require", "none"],
    ["sslmode=no-verify", "require", "none"],
    ["sslmode=verify-ca", "require", "ca"],
    ["sslmode=verify-full", "require", "full"],
    ["sslrootcert=system", "require", "full"],
    ["sslmode=require&sslrootcert=/ca.pem", "require", "ca"],
    ["sslmode=prefer&sslrootcert=/ca.pem", "prefer", "ca"],
    ["sslmode=no-verify&sslrootcert=/ca.pem", "require", "none"],
    ["sslmode=verify-full&channel_binding=prefer&gssencmode=disable", "require", "full"],
    ["sslmode=require&sslnegotiation=direct", "require", "none"],
  ])("with %s: %s, checks %s", (parameters, encryption, verify) => {
    expect(parseConnectionUrl(withParameters(parameters)).tls).toMatchObject({ encryption, verify });
  });
});

describe("a connection URL that cannot be used", () => {
  test.each([
    ["postgres://u:hunter2/x@db/d", /^must be a URL; percent-encode special characters in its password$/],
    ["postgres://u:1?hunter2=3@db/d", /^must be a URL; percent-encode/],
    ["postgres://u:1#hunter2@db/d", /^must be a URL; percent-encode/],
    ["postgres://u:hunter2%@db/d", /^must be a URL; percent-encode/],
    ["postgres://u:hunter2@one,two/d", /^must name one host/],
    [withParameters("host=hunter2"), /^has a host parameter that is not the folder of a Unix socket$/],
    [
      withParameters("sslmode=hunter2"),
      /^has an unknown sslmode; use one of disable, allow, prefer, require, /,
    ],
    [withParameters("sslmode="), /^has an empty parameter sslmode$/],
    [withParameters("sslmode=constructor"), /^has an unknown sslmode/],
    [
      withParameters("schema=hunter2"),
      /^has an unknown parameter schema; the known ones are application_name,/,
    ],
    [
      withParameters("channel_binding=require"),
      /^has channel_binding=require, which Stowage does not support/,
    ],
    [withParameters("channel_binding=hunter2"), /^has a channel_binding other than disable or prefer$/],
    [withParameters("gssencmode=require"), /^has a gssencmode other than disable or prefer$/],
    [withParameters("target_session_attrs=primary"), /^has a target_session_attrs other than any$/],
    [withParameters("connect_timeout=hunter2"), /^has a connect_timeout that is not a number of seconds/],
    [
      withParameters("sslmode=require&sslrootcert=system"),
      /^has sslrootcert=system, which needs sslmode=verify-full$/,
    ],
    [
      withParameters("sslnegotiation=direct"),
      /^has sslnegotiation=direct, which needs an sslmode that requires TLS$/,
    ],
    [withParameters("sslnegotiation=hunter2"), /^has an sslnegotiation other than postgres or direct$/],
    [withParameters("sslcert=/hunter2"), /^needs sslcert and sslkey together$/],
    [
      withParameters("sslrootcert=/hunter2"),
      /^cannot be used: the file of sslrootcert cannot be read \(ENOENT\)$/,
    ],
    [
      withParameters(`sslrootcert=${files.text}`),
      /^cannot be used: the file of sslrootcert is not a certificate$/,
    ],
    [
      withParameters(`sslcert=${files.text}&sslkey=${files.key}`),
      /the file of sslcert is not a certificate$/,
    ],
    [
      withParameters(`sslcert=${files.certificate}&sslkey=${files.text}`),
      /the file of sslkey is not a private key/,
    ],
    [
      withParameters(`sslcert=${files.certificate}&sslkey=${files.lockedKey}`),
      /sslkey is not a private key without/,
    ],
    [
      withParameters(`sslcert=${files.certificate}&sslkey=${files.otherKey}`),
      /sslkey does not belong to the cert/,
    ],
  ])("%s", (url, problem) => {
    expect(connectionUrlProblem(url)).toMatch(problem);
    expect(connectionUrlProblem(url)).not.toContain("hunter2");
  });

  test("is none with files that belong together", () => {
    const parameters = `sslmode=verify-full&sslrootcert=${files.certificate}&sslcert=${files.certificate}&sslkey=${files.key}`;
    expect(connectionUrlProblem(withParameters(parameters))).toBeUndefined();
  });
});
