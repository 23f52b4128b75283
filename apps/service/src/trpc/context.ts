import type { CountLimits } from "@stowage/schemas";
import type { ProjectCreationPolicy } from "@stowage/operator-schemas";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ClientInfo } from "#audit/caller.js";
import type { Database } from "#db/client.js";
import type { MarkStored } from "#files/settle/mark-stored.js";
import type { Replica } from "#health/replica.js";
import type { KeyLookup } from "#projects/key-lookup.js";
import type { Storages } from "#projects/storages.js";
import type { DashboardAddress } from "#auth/dashboard-address.js";
import { refuseWithoutTwoFactor } from "#auth/require-two-factor.js";
import type { LinkPasswords } from "#auth/scrypt-queue.js";
import type { SignInOffer } from "#auth/sign-in-methods.js";
import type { Session, SignIn } from "#auth/sign-in.js";
import { lazy } from "#lib/lazy.js";
import type { RandomBytes } from "#lib/random.js";
import type { UploadFeed } from "#usage/upload-feed.js";
import type { AddressPolicy } from "#webhooks/judge-address.js";
import type { SecretBox } from "#webhooks/secret-box.js";
import { toWebHeaders } from "#lib/web-headers.js";

/** The dependencies of all verbs that procedures call. */
export interface TrpcDeps {
  db: Database;
  storages: Storages;
  markStored: MarkStored;
  clock: () => Date;
  randomBytes: RandomBytes;
  keys: Pick<KeyLookup, "learn">;
  signIn: Pick<SignIn, "findSession" | "hashPassword" | "rememberDevice">;
  dashboard: DashboardAddress;
  linkPasswords: LinkPasswords;
  signInOffer: SignInOffer;
  isPasswordOff: boolean;
  uploadFeed: Pick<UploadFeed, "watch">;
  /** Quota of a tenant if neither the tenant nor its project has one. Null: no quota. */
  defaultQuotaBytes: number | null;
  defaultLimits: CountLimits;
  projectCreation: ProjectCreationPolicy;
  replica: Pick<Replica, "id" | "version">;
  /** Whether this replica delivers webhooks. */
  webhooksOn: boolean;
  webhookSecrets: SecretBox;
  webhookAddresses: AddressPolicy;
  /** Null: storage cannot send notifications. */
  storageEventsSecret: string | null;
}

export interface Context {
  deps: TrpcDeps;
  client: ClientInfo;
  /**
   * Finds the session of the request, with one query for all calls of a batch.
   *
   * @throws {DashboardError} `two_factor_missing` if the operator must set up a second factor first
   * @throws {StowageError} `unavailable`
   */
  findSession(): Promise<Session | null>;
  /** As {@link findSession}, but also for an operator who must set up a second factor. Only for calls that this set-up needs. */
  findSessionForSetUp(): Promise<Session | null>;
  /** Makes the browser a known device of an account: see {@link SignIn.rememberDevice}. Never throws. */
  rememberDevice(email: string): Promise<void>;
}

export function createContext(deps: TrpcDeps, request: FastifyRequest, reply: FastifyReply): Context {
  const findSessionForSetUp = lazy(async () => {
    const session = await deps.signIn.findSession(toWebHeaders(request.headers));
    if (session && session.cookies.length > 0) reply.header("Set-Cookie", session.cookies);
    return session;
  });
  return {
    deps,
    client: { ipAddress: request.ip, userAgent: request.headers["user-agent"] ?? "" },
    findSession: async () => refuseWithoutTwoFactor(await findSessionForSetUp()),
    findSessionForSetUp,
    rememberDevice: async (email) => {
      // The call has succeeded and its link is used up, so a database that fails now must not hide that.
      const cookie = await deps.signIn.rememberDevice(email).catch(() => null);
      if (cookie !== null) reply.header("Set-Cookie", cookie);
    },
  };
}
