import { createHash, timingSafeEqual } from "node:crypto";
import { StowageError } from "@stowage/schemas";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Database, inLane } from "#db/client.js";
import { handleNotification, type HandleNotificationDeps } from "#storage-events/handle-notification.js";
import { decodeJson } from "#lib/decode-json.js";

export type StorageEventsRouteDeps = Omit<HandleNotificationDeps, "db"> & {
  db: Database;
  /** Null: the endpoint does not exist. */
  storageEventsSecret: string | null;
};

const MAX_BODY_BYTES = 1024 * 1024;

/** `POST /internal/storage-events`: receives notifications of storage. The sender must know the endpoint's own secret. */
export async function storageEventsRoute(app: FastifyInstance, deps: StorageEventsRouteDeps): Promise<void> {
  const { storageEventsSecret: secret } = deps;
  if (secret === null) return;
  await app.register(async (scope) => {
    // Every body is parsed as JSON, because SNS sends it as text/plain and some Ceph versions send no Content-Type.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, async (_request: unknown, body: string | Buffer) =>
      decodeJson(body as Buffer),
    );
    scope.addHook("onRequest", async (request) => {
      if (!readSecrets(request).some((candidate) => isEqual(candidate, secret))) {
        throw new StowageError("unauthorized");
      }
    });
    // SNS sends the user name and password of an endpoint's URL only after this challenge.
    scope.addHook("onSend", async (_request, reply) => {
      if (reply.statusCode === 401) reply.header("WWW-Authenticate", 'Basic realm="storage events"');
    });
    scope.post("/internal/storage-events", { bodyLimit: MAX_BODY_BYTES }, async (request) => ({
      looked_at: await handleNotification(inLane(deps, "upload", "storage events"), request.body),
    }));
  });
}

/** Reads the secret from `Authorization: Bearer`, Basic's password, or `?secret=`. In many senders only the URL can be set. */
function readSecrets(request: FastifyRequest): string[] {
  const { secret } = request.query as { secret?: unknown };
  const [, scheme = "", credentials = ""] =
    /^(\S+) +(\S+) *$/.exec(request.headers.authorization ?? "") ?? [];
  const basic = Buffer.from(credentials, "base64").toString("utf8");
  return [
    ...(typeof secret === "string" ? [secret] : []),
    ...(/^bearer$/i.test(scheme) ? [credentials] : []),
    ...(/^basic$/i.test(scheme) && basic.includes(":") ? [basic.slice(basic.indexOf(":") + 1)] : []),
  ];
}

/** Compares in constant time. Compares hashes, so that the duration does not reveal the secret's length either. */
function isEqual(candidate: string, secret: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(candidate), hash(secret));
}
