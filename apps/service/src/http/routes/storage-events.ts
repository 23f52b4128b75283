import { createHash, timingSafeEqual } from "node:crypto";
import { StowageError } from "@stowage/schemas";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { handleNotification, type HandleNotificationDeps } from "#storage-events/handle-notification.js";
import { decodeJson } from "../json-body.js";

export type StorageEventsRouteDeps = HandleNotificationDeps & {
  /** Null: there is no such endpoint. */
  storageEventsSecret: string | null;
};

const BODY_BYTES = 1024 * 1024;

/** `POST /internal/storage-events`, for storage and its notification services, who have a secret of their own. */
export async function storageEventsRoute(app: FastifyInstance, deps: StorageEventsRouteDeps): Promise<void> {
  const { storageEventsSecret: secret } = deps;
  if (secret === null) return;
  await app.register(async (scope) => {
    // SNS says text/plain and some Ceph versions nothing at all: whatever it is called, it is JSON.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, async (_request: unknown, body: string | Buffer) =>
      decodeJson(body as Buffer),
    );
    scope.addHook("onRequest", async (request) => {
      if (!offeredSecrets(request).some((offered) => isEqual(offered, secret)))
        throw new StowageError("unauthorized");
    });
    // SNS gives the user and password of an endpoint's URL only when asked for them.
    scope.addHook("onSend", async (_request, reply) => {
      if (reply.statusCode === 401) reply.header("WWW-Authenticate", 'Basic realm="storage events"');
    });
    scope.post("/internal/storage-events", { bodyLimit: BODY_BYTES }, async (request) => ({
      looked_at: await handleNotification(deps, request.body),
    }));
  });
}

/** From `Authorization: Bearer` or Basic's password, or `?secret=`: many senders can be given a URL, and nothing more. */
function offeredSecrets(request: FastifyRequest): string[] {
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

/** In a time that tells nothing: of the secret's hash, so that its length is not told either. */
function isEqual(offered: string, secret: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(offered), hash(secret));
}
