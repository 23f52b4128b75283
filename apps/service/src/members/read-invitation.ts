import type { Role } from "@stowage/schemas/dashboard";
import { eq } from "drizzle-orm";
import type { Operator } from "#audit/caller.js";
import type { Queries } from "#db/client.js";
import { operators } from "#db/schema/index.js";
import { findInvitation } from "./find-invitation.js";

/** What somebody who opened a link is asked to agree to. */
export interface InvitationOffer {
  projectName: string;
  email: string;
  role: Role;
  invitedBy: string;
  /** Whether they sign in to accept, or choose a name and a password. */
  hasAccount: boolean;
  /** The address of whoever opened it, where they are signed in. */
  signedInAs: string | null;
}

/** @throws {DashboardError} `invitation_refused`; {@link StowageError} `unavailable` */
export function readInvitation(
  deps: { db: Queries; clock: () => Date },
  operator: Pick<Operator, "email"> | null,
  input: { token: string },
): Promise<InvitationOffer> {
  return deps.db.run(async (db) => {
    const { projectName, email, role, invitedBy } = await findInvitation(db, input.token, deps.clock());
    const [account] = await db.select({ id: operators.id }).from(operators).where(eq(operators.email, email));
    return {
      projectName,
      email,
      role,
      invitedBy,
      hasAccount: account !== undefined,
      signedInAs: operator?.email ?? null,
    };
  });
}
