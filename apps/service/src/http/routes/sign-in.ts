import { StowageError } from "@stowage/schemas";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { DashboardAddress } from "#auth/dashboard-address.js";
import { refuseCrossSite } from "#auth/refuse-cross-site.js";
import { type SignIn, signInCalls } from "#auth/sign-in.js";
import { toWebHeaders } from "#lib/web-headers.js";
import { acceptJsonOnly } from "../json-body.js";
import { renderErrorWithCode } from "../render-error.js";

export interface SignInRoutesDeps {
  signIn: Pick<SignIn, "handle" | "finishOidc">;
  dashboard: DashboardAddress;
}

/** `POST /auth/…`: the calls of signing in and out. An error body is `{"detail": ..., "code": ...}`. */
export async function signInRoutes(app: FastifyInstance, deps: SignInRoutesDeps): Promise<void> {
  await app.register(
    async (scope) => {
      acceptJsonOnly(scope);
      scope.addHook("onRequest", async (request) => refuseCrossSite(deps.dashboard, request.headers.origin));
      scope.setErrorHandler(renderErrorWithCode);
      for (const call of signInCalls) {
        scope.post(call, async (request, reply) => {
          const { body, ip, headers } = request;
          const client = { ipAddress: ip, userAgent: headers["user-agent"] ?? "" };
          const response = await deps.signIn.handle({ call, headers: toWebHeaders(headers), body, client });
          if (response.cookies.length > 0) reply.header("Set-Cookie", response.cookies);
          return response.body;
        });
      }
    },
    { prefix: "/auth" },
  );
  app.get("/auth/callback/oidc", (request, reply) => finishOidc(deps, request, reply));
}

/**
 * The redirect URI of OpenID Connect. A person's browser comes here from the provider, so every answer opens a page of the dashboard. The
 * query contains a code and a state, which no log, cache or other site may get.
 */
async function finishOidc(deps: SignInRoutesDeps, request: FastifyRequest, reply: FastifyReply) {
  const { ip, headers, url } = request;
  const client = { ipAddress: ip, userAgent: headers["user-agent"] ?? "" };
  const search = url.includes("?") ? url.slice(url.indexOf("?")) : "";
  const returned = { search, headers: toWebHeaders(headers), client };
  const answer = await deps.signIn.finishOidc(returned).catch((error: unknown) => {
    if (!(error instanceof StowageError) || error.code !== "unavailable") throw error;
    return { cookies: [], location: "/sign-in?refused=unavailable" };
  });
  if (answer.cookies.length > 0) reply.header("Set-Cookie", answer.cookies);
  return reply
    .headers({ "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" })
    .redirect(deps.dashboard.url() + answer.location, 303);
}
