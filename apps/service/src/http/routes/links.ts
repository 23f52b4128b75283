import { operations, StowageError } from "@stowage/schemas";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { inLane } from "#db/client.js";
import { listLinks } from "#files/list/list-links.js";
import type { SettleUploadDeps } from "#files/settle/settle-upload.js";
import { clientNetwork } from "#lib/client-network.js";
import { createLink, type CreateLinkDeps } from "#links/create-link.js";
import { readLinkToken } from "#links/link-token.js";
import { openLink, type OpenedLink, type OpenLinkDeps } from "#links/open-link.js";
import { revokeLink } from "#links/revoke-link.js";
import { findProjectByRef, type Project } from "#projects/find-project.js";
import { createFailingKeys, type FailingKeysDeps } from "../failing-keys.js";
import { linkPageHeaders, renderPasswordPage, renderProblemPage } from "../link-page.js";
import { prepareReply, renderError } from "../render-error.js";
import { createRoutes, type RouteDeps } from "./route.js";

export type LinkRoutesDeps = RouteDeps &
  Omit<CreateLinkDeps & OpenLinkDeps & SettleUploadDeps, "db" | "settling" | "store" | "counting">;

/** The calls about share links. */
export function linkRoutes(scope: FastifyInstance, deps: LinkRoutesDeps): void {
  const { route } = createRoutes(scope, deps);
  route(operations.createLink, createLink);
  route(operations.listLinks, listLinks);
  route(operations.revokeLink, revokeLink);
}

export type SharedFileRoutesDeps = LinkRoutesDeps &
  FailingKeysDeps & {
    failingKeysPerMinute: number;
    rateLimitPerMinute: number;
    /** See {@link linkPageHeaders} */
    storageOrigins: () => string[];
  };

/** A password in a form: each of its characters may take twelve. */
const MAX_FORM_BYTES = 4096;

/**
 * `/s/TOKEN`: the share links themselves. Needs no API key. The token is a secret, so it is in the path only, which no log and no trace
 * has, and no page or redirect passes it on as a referrer.
 */
export async function sharedFileRoutes(app: FastifyInstance, deps: SharedFileRoutesDeps): Promise<void> {
  await app.register(async (scope) => {
    limitClients(scope, deps);
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string", bodyLimit: MAX_FORM_BYTES },
      async (_request: unknown, body: string | Buffer) => new URLSearchParams(String(body)),
    );
    scope.addHook(
      "onRequest",
      async (_request, reply) => void reply.header("Referrer-Policy", "no-referrer"),
    );
    const open = async (request: FastifyRequest, reply: FastifyReply, password?: string) => {
      const { token } = request.params as { token: string };
      const isCheck = request.method === "HEAD";
      return answer(
        await openToken(deps, { token, client: clientNetwork(request.ip), password, isCheck }),
        reply,
      );
    };
    const answer = (opened: OpenedLink, reply: FastifyReply) => {
      if ("needsPassword" in opened) {
        return reply
          .status(opened.isWrong ? 403 : 200)
          .headers(linkPageHeaders(deps.storageOrigins()))
          .send(renderPasswordPage(opened));
      }
      if (opened.url !== null) reply.header("Location", opened.url);
      return reply.status(302).send();
    };
    scope.route({
      method: ["GET", "HEAD"],
      url: "/s/:token",
      handler: (request, reply) => open(request, reply),
    });
    scope.post("/s/:token", { bodyLimit: MAX_FORM_BYTES }, (request, reply) =>
      open(request, reply, (request.body as URLSearchParams | undefined)?.get("password") ?? ""),
    );
  });
}

async function openToken(
  deps: SharedFileRoutesDeps,
  { token, ...visitor }: { token: string; client: string; password: string | undefined; isCheck: boolean },
): Promise<OpenedLink> {
  const read = readLinkToken(token);
  const project = read && (await findProjectOf(deps, read.projectRef, visitor.client));
  if (!project) throw new StowageError("link_not_found");
  const { store } = await deps.storages.of(project.id);
  const of = (lane: "read" | "upload") => ({ ...inLane(deps, lane, project.id), store });
  const counting = deps.db.lane("work", String(project.id));
  const inLanes = { ...of("read"), settling: of("upload"), counting };
  return openLink(inLanes, project, { tokenHash: read.tokenHash, ...visitor });
}

/** Anyone can send a token of any project, so these lookups have the lane of unknown keys. */
async function findProjectOf(deps: RouteDeps, ref: string, client: string): Promise<Project | null> {
  try {
    return await findProjectByRef(inLane(deps, "unknown-key", client), ref);
  } catch (error) {
    if (error instanceof StowageError && error.code === "not_found") return null;
    throw error;
  }
}

/** Limits how often a client may use links at all, and how often links that do not work. */
function limitClients(scope: FastifyInstance, deps: SharedFileRoutesDeps): void {
  const uses = createFailingKeys(deps, deps.rateLimitPerMinute, "links");
  const failures = createFailingKeys(deps, deps.failingKeysPerMinute, "failing-links");
  scope.addHook("onRequest", async ({ ip }) => {
    const client = clientNetwork(ip);
    const retryAfterSeconds = Math.max(uses.secondsToWait(client), failures.secondsToWait(client));
    if (retryAfterSeconds > 0) throw new StowageError("too_many_requests", { retryAfterSeconds });
    await uses.record(client);
  });
  scope.setErrorHandler(async (error: Error, request, reply) => {
    const isFailure = error instanceof StowageError && error.code === "link_not_found";
    if (isFailure) await failures.record(clientNetwork(request.ip));
    if (!request.headers.accept?.includes("text/html")) return renderError(error, request, reply);
    const known = prepareReply(error, request, reply);
    return reply.headers(linkPageHeaders([])).send(renderProblemPage(known));
  });
}
