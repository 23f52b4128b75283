import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { X509Certificate } from "node:crypto";

/** How to encrypt a connection, and what to check. See `sslmode` in the PostgreSQL documentation, 34.19. */
export interface TlsSettings {
  /** `allow` and `prefer` use both kinds of connection, in this order: without and with TLS, with and without TLS. */
  encryption: "disable" | "allow" | "prefer" | "require";
  /** What is checked of the server's certificate: nothing, who signed it, or also its host name. */
  verify: "none" | "ca" | "full";
  /** `direct` starts TLS without asking first (PostgreSQL 17 and later). */
  negotiation: "postgres" | "direct";
  /** The paths of the PEM files that the parameters name. Without `sslrootcert`, Node's authorities are trusted. */
  files: Partial<Record<FileParameter, string>>;
}

type FileParameter = "sslrootcert" | "sslcert" | "sslkey";

const MODES: Record<string, Pick<TlsSettings, "encryption" | "verify">> = {
  disable: { encryption: "disable", verify: "none" },
  allow: { encryption: "allow", verify: "none" },
  prefer: { encryption: "prefer", verify: "none" },
  require: { encryption: "require", verify: "none" },
  "verify-ca": { encryption: "require", verify: "ca" },
  "verify-full": { encryption: "require", verify: "full" },
  /** The spelling of node-postgres for TLS without any check. libpq's `require` is the same without `sslrootcert`. */
  "no-verify": { encryption: "require", verify: "none" },
};

/**
 * @param problem makes the error for a sentence that follows the name of the setting
 * @throws the error that `problem` makes
 */
export function parseTlsParameters(
  parameters: Map<string, string>,
  problem: (message: string) => Error,
): TlsSettings {
  const rootCertificate = parameters.get("sslrootcert");
  const name = parameters.get("sslmode") ?? (rootCertificate === "system" ? "verify-full" : "prefer");
  const mode = Object.hasOwn(MODES, name) ? MODES[name] : undefined;
  if (!mode) throw problem(`has an unknown sslmode; use one of ${Object.keys(MODES).join(", ")}`);
  if (rootCertificate === "system" && mode.verify !== "full") {
    throw problem("has sslrootcert=system, which needs sslmode=verify-full");
  }
  if (parameters.has("sslcert") !== parameters.has("sslkey")) {
    throw problem("needs sslcert and sslkey together");
  }
  const negotiation = parameters.get("sslnegotiation") ?? "postgres";
  if (negotiation !== "postgres" && negotiation !== "direct") {
    throw problem("has an sslnegotiation other than postgres or direct");
  }
  if (negotiation === "direct" && mode.encryption !== "require") {
    throw problem("has sslnegotiation=direct, which needs an sslmode that requires TLS");
  }
  const hasAuthority = rootCertificate !== undefined && rootCertificate !== "system";
  // As in libpq, a given authority is checked although the mode does not demand it.
  const checksAuthority = hasAuthority && mode.verify === "none" && name !== "no-verify";
  return {
    ...mode,
    ...(checksAuthority ? { verify: "ca" as const } : {}),
    negotiation,
    files: {
      ...(hasAuthority ? { sslrootcert: rootCertificate } : {}),
      ...pick(parameters, "sslcert"),
      ...pick(parameters, "sslkey"),
    },
  };
}

function pick(parameters: Map<string, string>, name: FileParameter): TlsSettings["files"] {
  const path = parameters.get(name);
  return path === undefined ? {} : { [name]: path };
}

export interface TlsFiles {
  ca?: string;
  cert?: string;
  key?: string;
}

/** A file that cannot be used. The message names the parameter and the reason. */
export class TlsFileError extends Error {
  override readonly name = "TlsFileError";
}

/**
 * Reads the files that the parameters name.
 *
 * @throws {TlsFileError} for a file that cannot be read or is not PEM, and for a key that does not belong to the certificate
 */
export function readTlsFiles({ files }: TlsSettings): TlsFiles {
  const ca = readPem(files, "sslrootcert");
  const cert = readPem(files, "sslcert");
  const key = readPem(files, "sslkey");
  if (ca !== undefined) assertUsable("sslrootcert", "is not a certificate", () => new X509Certificate(ca));
  if (cert !== undefined) assertUsable("sslcert", "is not a certificate", () => new X509Certificate(cert));
  if (key !== undefined)
    assertUsable("sslkey", "is not a private key without passphrase", () => createSecureContext({ key }));
  if (cert !== undefined && key !== undefined) {
    assertUsable("sslkey", "does not belong to the certificate of sslcert", () =>
      createSecureContext({ cert, key }),
    );
  }
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
}

function readPem(files: TlsSettings["files"], name: FileParameter): string | undefined {
  const path = files[name];
  if (path === undefined) return undefined;
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new TlsFileError(`the file of ${name} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function assertUsable(name: FileParameter, problem: string, use: () => unknown): void {
  try {
    use();
  } catch {
    throw new TlsFileError(`the file of ${name} ${problem}`);
  }
}
