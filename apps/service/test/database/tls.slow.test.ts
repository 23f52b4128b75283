import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDriver } from "#db/driver/driver.js";
import { aCertificate, anAuthority } from "../fixtures/a-certificate.js";
import { aTlsPostgres, type TlsPostgres } from "../fixtures/a-tls-postgres.js";

/*
 * Each test connects to a real server over TLS, as `sslmode` and the other parameters of the URL say.
 */
const authority = anAuthority();
const otherAuthority = anAuthority("another authority");
const valid = aCertificate("localhost", { issuer: authority });
const forAddress = aCertificate("127.0.0.1", { issuer: authority });
const forOtherHost = aCertificate("db.example.com", { issuer: authority });
const expired = aCertificate("localhost", { issuer: authority, expiresAt: new Date(Date.now() - 3_600_000) });

let server: TlsPostgres;
let ca: string;
let otherCa: string;
beforeAll(async () => {
  server = await aTlsPostgres(authority);
  ca = await server.write("ca.pem", authority.certificate);
  otherCa = await server.write("other-ca.pem", otherAuthority.certificate);
  await server.useCertificate(valid);
});
afterAll(() => server.stop());

/** Connects, and tells how. @returns what the server knows about the connection's encryption, or the sentence of the failure */
async function connectWith(
  parameters: Record<string, string>,
  host = "localhost",
): Promise<"encrypted" | "plain" | string> {
  const url = new URL(server.url);
  url.hostname = host;
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const { sql, connectionErrorOf } = openDriver(url.href, { max: 1, connectTimeoutMs: 60_000 });
  try {
    const [row] = await sql<{ ssl: boolean }[]>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`;
    return row!.ssl ? "encrypted" : "plain";
  } catch (error) {
    const { message } = connectionErrorOf(error)!;
    expect(message).not.toContain(server.url.password);
    const start = `Cannot connect to PostgreSQL at ${host}:${url.port} as stowage: `;
    expect(message).toContain(start);
    expect(message).toContain(" (database stowage).");
    return message.slice(start.length).replace(" (database stowage).", "");
  } finally {
    await sql.end({ timeout: 0 });
  }
}

const UNTRUSTED =
  "the server's certificate is not signed by a trusted authority; sslrootcert names the file of another authority";
const NO_TLS = "the server does not support TLS, which sslmode requires";

describe("to a server with a certificate for localhost", () => {
  beforeAll(() => server.useCertificate(valid));

  test.each([
    [{}, "encrypted"],
    [{ sslmode: "disable" }, "plain"],
    [{ sslmode: "allow" }, "plain"],
    [{ sslmode: "prefer" }, "encrypted"],
    [{ sslmode: "require" }, "encrypted"],
    [{ sslmode: "no-verify" }, "encrypted"],
    [{ sslmode: "require", sslnegotiation: "direct" }, "encrypted"],
    [{ sslmode: "verify-ca" }, UNTRUSTED],
    [{ sslmode: "verify-full" }, UNTRUSTED],
    [{ sslrootcert: "system" }, UNTRUSTED],
  ])("%o: %s", async (parameters, outcome) => {
    expect(await connectWith(parameters)).toBe(outcome);
  });

  test.each([
    ["require", "localhost", "encrypted"],
    ["verify-ca", "localhost", "encrypted"],
    ["verify-ca", "127.0.0.1", "encrypted"],
    ["verify-full", "localhost", "encrypted"],
    // The driver alone would compare an IP address with "localhost".
    ["verify-full", "127.0.0.1", "the server's certificate is for another host name than 127.0.0.1"],
  ])("sslmode=%s with its authority, as %s: %s", async (sslmode, host, outcome) => {
    expect(await connectWith({ sslmode, sslrootcert: ca }, host)).toBe(outcome);
  });

  test.each([
    ["require", UNTRUSTED],
    ["verify-ca", UNTRUSTED],
    ["verify-full", UNTRUSTED],
    ["no-verify", "encrypted"],
    // As in libpq, these do without TLS rather than fail.
    ["prefer", "plain"],
  ])("sslmode=%s with another authority: %s", async (sslmode, outcome) => {
    expect(await connectWith({ sslmode, sslrootcert: otherCa })).toBe(outcome);
  });

  test("a file that disappears after the start is named", async () => {
    expect(await connectWith({ sslmode: "verify-full", sslrootcert: "/nowhere.pem" })).toMatch(
      /^the file of sslrootcert cannot be read \(ENOENT\)/,
    );
  });
});

describe("to a server with another certificate", () => {
  test("verify-full accepts an IP address in the certificate", async () => {
    await server.useCertificate(forAddress);
    expect(await connectWith({ sslmode: "verify-full", sslrootcert: ca }, "127.0.0.1")).toBe("encrypted");
    expect(await connectWith({ sslmode: "verify-full", sslrootcert: ca })).toBe(
      "the server's certificate is for another host name than localhost",
    );
  });

  test("only verify-full refuses a certificate for another host", async () => {
    await server.useCertificate(forOtherHost);
    expect(await connectWith({ sslmode: "verify-ca", sslrootcert: ca })).toBe("encrypted");
    expect(await connectWith({ sslmode: "verify-full", sslrootcert: ca })).toBe(
      "the server's certificate is for another host name than localhost",
    );
  });

  test("an expired certificate is refused where the certificate is checked", async () => {
    await server.useCertificate(expired);
    const EXPIRED = "the server's certificate has expired";
    expect(await connectWith({ sslmode: "require" })).toBe("encrypted");
    expect(await connectWith({ sslmode: "verify-ca", sslrootcert: ca })).toBe(EXPIRED);
    expect(await connectWith({ sslmode: "verify-full", sslrootcert: ca })).toBe(EXPIRED);
  });
});

describe("to a server whose pg_hba.conf", () => {
  beforeAll(() => server.useCertificate(valid));
  afterAll(() => server.useAccessRule(""));

  test("refuses connections without TLS: allow uses TLS", async () => {
    await server.useAccessRule("hostnossl all all 127.0.0.1/32 reject");
    expect(await connectWith({ sslmode: "allow" })).toBe("encrypted");
    expect(await connectWith({ sslmode: "disable" })).toMatch(
      /^pg_hba\.conf rejects connection for host "127\.0\.0\.1", user "stowage", database "stowage", no encryption \(28000\)$/,
    );
  });

  test("demands a client certificate: sslcert and sslkey send it", async () => {
    await server.useAccessRule("hostssl all all 127.0.0.1/32 scram-sha-256 clientcert=verify-ca");
    const client = aCertificate("stowage", { issuer: authority });
    const sslcert = await server.write("client.pem", client.certificate);
    const sslkey = await server.write(
      "client.key",
      client.key.export({ type: "pkcs8", format: "pem" }).toString(),
    );
    expect(await connectWith({ sslmode: "require" })).toMatch(
      /^connection requires a valid client certificate/,
    );
    expect(await connectWith({ sslmode: "verify-full", sslrootcert: ca, sslcert, sslkey })).toBe("encrypted");
  });
});

describe("to a server without TLS", () => {
  beforeAll(() => server.turnTlsOff());

  test.each([
    ["disable", "plain"],
    ["allow", "plain"],
    ["prefer", "plain"],
    ["require", NO_TLS],
    ["no-verify", NO_TLS],
    ["verify-ca", NO_TLS],
    ["verify-full", NO_TLS],
  ])("sslmode=%s: %s", async (sslmode, outcome) => {
    expect(await connectWith({ sslmode })).toBe(outcome);
  });
});
