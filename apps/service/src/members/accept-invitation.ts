import { StowageError } from "@stowage/schemas";
import { type AcceptInvitationInput, DashboardError } from "@stowage/schemas/dashboard";
import { and, eq } from "drizzle-orm";
import type { From, Operator } from "#audit/caller.js";
import { writeAudit } from "#audit/write-audit.js";
import { inTransaction, type Queries, type Transaction } from "#db/client.js";
import { invitations, operators, projectMembers } from "#db/schema/index.js";
import type { RandomBytes } from "#lib/random.js";
import { findInvitation } from "./find-invitation.js";
import { insertOperator } from "#auth/insert-operator.js";
import type { SignIn } from "#auth/sign-in.js";

export interface AcceptInvitationDeps {
  db: Queries;
  clock: () => Date;
  randomBytes: RandomBytes;
  signIn: Pick<SignIn, "hashPassword">;
}

/**
 * Joins the project of a link, which is used up by it. Somebody new chooses name and password; somebody who has an account is
 * signed in to it, so that a link that went astray opens nobody's.
 *
 * @param who the operator who is signed in, if anybody
 * @throws {DashboardError} `invitation_refused`, `other_account`, `sign_in_to_accept`
 * @throws {StowageError} `invalid_request` without the name and password of somebody new; `unavailable`
 */
export async function acceptInvitation(
  deps: AcceptInvitationDeps,
  who: { operator: Operator | null; from: From },
  input: AcceptInvitationInput,
): Promise<{ projectRef: string; email: string }> {
  // Before the password is hashed, which is work that nobody may have us do.
  await deps.db.run((db) => findInvitation(db, input.token, deps.clock()));
  const passwordHash =
    input.password === undefined || who.operator ? null : await deps.signIn.hashPassword(input.password);
  return inTransaction(deps.db, async (_, tx) => {
    const invitation = await findInvitation(tx, input.token, deps.clock());
    const { projectId, projectRef, role, email } = invitation;
    // Of two who come with one link the second waits here, and finds nothing to delete.
    const [used] = await tx
      .delete(invitations)
      .where(and(eq(invitations.projectId, projectId), eq(invitations.id, invitation.id)))
      .returning({ id: invitations.id });
    if (!used) throw new DashboardError("invitation_refused");
    const operator = await findOrAdd(tx, deps, who.operator, { email, name: input.name, passwordHash });
    await tx
      .insert(projectMembers)
      .values({ projectId, operatorId: operator.id, role, createdAt: deps.clock() })
      .onConflictDoNothing();
    await writeAudit(
      tx,
      { operator, from: who.from, at: deps.clock() },
      { action: "member.joined", projectId, details: { role } },
    );
    return { projectRef, email };
  });
}

async function findOrAdd(
  tx: Transaction,
  deps: AcceptInvitationDeps,
  signedIn: Operator | null,
  { email, name, passwordHash }: { email: string; name: string | undefined; passwordHash: string | null },
): Promise<{ id: string; email: string }> {
  if (signedIn) {
    if (signedIn.email !== email) throw new DashboardError("other_account");
    return signedIn;
  }
  const [known] = await tx.select({ id: operators.id }).from(operators).where(eq(operators.email, email));
  if (known) throw new DashboardError("sign_in_to_accept");
  if (name === undefined || passwordHash === null)
    throw new StowageError("invalid_request", { detail: "name and password are required" });
  return insertOperator(tx, deps, { name, email, passwordHash, isAdmin: false });
}
