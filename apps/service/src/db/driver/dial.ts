import { once } from "node:events";
import { connect as connectSocket, isIP, type Socket } from "node:net";
import { checkServerIdentity, connect as connectTls, type TLSSocket } from "node:tls";
import type { ConnectionTarget } from "./connection-url.js";
import { readTlsFiles, type TlsFiles } from "./tls-settings.js";

/** How the client names itself: `sslmode=allow` sends this first to learn whether the server accepts a connection without TLS. */
export interface Login {
  user: string;
  database: string;
}

/** The first messages of the protocol: https://www.postgresql.org/docs/current/protocol-message-formats.html */
const SSL_REQUEST = Buffer.from("0000000804d2162f", "hex");
const PROTOCOL_3_0 = Buffer.from("00030000", "hex");

/**
 * Opens a connection to PostgreSQL and encrypts it as `sslmode` says. The driver does the rest, beginning with the login. The
 * driver's own TLS would check an IP address against certificates for "localhost", and it cannot check an authority alone.
 *
 * @throws the error of Node with its code; an error with the code `TLS_NOT_SUPPORTED` or `NOT_POSTGRESQL`; {@link TlsFileError};
 *   the signal's reason
 */
export async function dial(target: ConnectionTarget, login: Login, signal: AbortSignal): Promise<Socket> {
  // libpq does not encrypt Unix sockets either, with any sslmode.
  const encryption = target.host.startsWith("/") ? "disable" : target.tls.encryption;
  if (encryption === "disable") return openSocket(target, signal);
  const files = readTlsFiles(target.tls);
  if (encryption === "require") return openEncrypted(target, files, signal);
  if (encryption === "prefer") return openPreferred(target, files, signal);
  const isAccepted = await acceptsPlain(target, login, signal);
  return isAccepted ? openSocket(target, signal) : openEncrypted(target, files, signal);
}

async function openSocket({ host, port }: ConnectionTarget, signal: AbortSignal): Promise<Socket> {
  const socket = host.startsWith("/")
    ? connectSocket({ path: `${host}/.s.PGSQL.${port}` })
    : connectSocket({ host, port });
  // The error reaches the caller by the promise. Without a listener, a later one would end the process.
  socket.on("error", () => undefined);
  return destroyUnless(socket, once(socket, "connect", { signal }));
}

async function openEncrypted(
  target: ConnectionTarget,
  files: TlsFiles,
  signal: AbortSignal,
): Promise<Socket> {
  const socket = await openSocket(target, signal);
  if (target.tls.negotiation === "postgres" && !(await offersTls(socket, signal))) {
    socket.destroy();
    throw coded("TLS_NOT_SUPPORTED", "the server does not support TLS");
  }
  return encrypt(socket, target, files, signal);
}

/** Continues without TLS if the server has none, or if the handshake fails, as libpq does. */
async function openPreferred(
  target: ConnectionTarget,
  files: TlsFiles,
  signal: AbortSignal,
): Promise<Socket> {
  const socket = await openSocket(target, signal);
  if (!(await offersTls(socket, signal))) return socket;
  try {
    return await encrypt(socket, target, files, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    return openSocket(target, signal);
  }
}

/** Asks the server whether it can encrypt the connection. */
async function offersTls(socket: Socket, signal: AbortSignal): Promise<boolean> {
  socket.write(SSL_REQUEST);
  const answer = (await nextBytes(socket, signal)).toString("latin1");
  if (answer === "S") return true;
  if (answer === "N") return false;
  // "S" with more bytes behind it is refused too: an attacker between the two sides may have added them, and they would count as encrypted.
  socket.destroy();
  throw coded("NOT_POSTGRESQL", "the server does not answer like PostgreSQL");
}

async function encrypt(
  socket: Socket,
  { host, tls }: ConnectionTarget,
  files: TlsFiles,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const secured = connectTls({
    socket,
    // Node checks the certificate for `servername`, else for `host`. An IP address may not be a `servername` (RFC 6066).
    host,
    ...(isIP(host) ? {} : { servername: host }),
    rejectUnauthorized: tls.verify !== "none",
    checkServerIdentity: tls.verify === "full" ? checkServerIdentity : () => undefined,
    ...(tls.negotiation === "direct" ? { ALPNProtocols: ["postgresql"] } : {}),
    ...files,
  });
  secured.on("error", () => undefined);
  return destroyUnless(secured, once(secured, "secureConnect", { signal }));
}

/** Starts a login without TLS, and reads whether the server asks for the password or refuses. */
async function acceptsPlain(target: ConnectionTarget, login: Login, signal: AbortSignal): Promise<boolean> {
  const socket = await openSocket(target, signal);
  try {
    const text = Buffer.from(["user", login.user, "database", login.database, "", ""].join("\0"));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(length.length + PROTOCOL_3_0.length + text.length);
    socket.write(Buffer.concat([length, PROTOCOL_3_0, text]));
    return (await nextBytes(socket, signal)).toString("latin1", 0, 1) === "R";
  } finally {
    socket.destroy();
  }
}

/** @throws an error with the code `CONNECTION_CLOSED` if the server closes the connection instead */
async function nextBytes(socket: Socket, signal: AbortSignal): Promise<Buffer> {
  signal.throwIfAborted();
  const waiting = new AbortController();
  const stop = () => socket.destroy();
  signal.addEventListener("abort", stop, waiting);
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      const onClose = () => reject(coded("CONNECTION_CLOSED", "the server closed the connection"));
      socket.once("close", onClose).once("data", (bytes: Buffer) => {
        socket.off("close", onClose);
        resolve(bytes);
      });
    });
  } finally {
    waiting.abort();
    signal.throwIfAborted();
  }
}

/** Waits for `done`, and destroys the socket if that fails. */
async function destroyUnless<S extends Socket>(socket: S, done: Promise<unknown>): Promise<S> {
  try {
    await done;
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

function coded(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
