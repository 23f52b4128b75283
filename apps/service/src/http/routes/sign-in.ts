import type { FastifyInstance } from "fastify";
import type { DashboardAddress } from "#auth/dashboard-address.js";
import { refuseCrossSite } from "#auth/refuse-cross-site.js";
import { type SignIn, signInCalls } from "#auth/sign-in.js";
import { toWebHeaders } from "#lib/web-headers.js";
import { acceptJsonOnly } from "../json-body.js";
import { renderErrorWithCode } from "../render-error.js";

export interface SignInRoutesDeps {
  signIn: Pick<SignIn, "handle">;
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
}
