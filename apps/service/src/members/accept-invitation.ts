import { StowageError } from "@stowage/schemas";
import { type AcceptInvitationInput, DashboardError, type Role } from "@stowage/operator-schemas";
import { and, eq, gt, gte, isNull, or } from "drizzle-orm";
import type { ClientInfo, Operator } from "#audit/caller.js";
import { writeAudit } from "#audit/write-audit.js";
import { hashToken } from "#auth/one-time-token.js";
import { insertOperator } from "#auth/operators.js";
import type { SignIn } from "#auth/sign-in.js";
import { type Drizzle, inTransaction, type Queries, type Transaction } from "#db/client.js";
import { invitations, operators, projectMembers, projects } from "#db/schema/index.js";
import type { RandomBytes } from "#lib/random.js";
import { lockProject } from "#projects/lock-project.js";
import { INVITER_ROLE } from "./invite.js";

interface AcceptInvitationDeps {
  db: Queries;
  clock: () => Date;
  randomBytes: RandomBytes;
  signIn: Pick<SignIn, "hashPassword">;
  /** True: new people create their account with OpenID Connect. */
  isPasswordOff: boolean;
}

/**
 * Adds the person who was invited to the project and uses the link up. A person without an account chooses a name and a password.
 * A person with an account must be signed in to it, so that a stolen link opens no account.
 *
 * @param caller `operator` is null if the caller is not signed in
 * @throws {DashboardError} `invitation_refused`, `other_account`, `sign_in_to_accept`, `password_sign_in_off`
 * @throws {StowageError} `invalid_request` if a new person sends no name or password; `unavailable`
 */
export async function acceptInvitation(
  deps: AcceptInvitationDeps,
  caller: { operator: Operator | null; client: ClientInfo },
  input: AcceptInvitationInput,
): Promise<{ projectRef: string; email: string }> {
  const tokenHash = hashToken(input.token);
  // Hashing a password is expensive, so a caller without a valid token must not reach it.
  await deps.db.run((db) => findInvitation(db, tokenHash, deps.clock()));
  const isNew = input.password !== undefined && !caller.operator;
  if (isNew && deps.isPasswordOff) throw new DashboardError("password_sign_in_off");
  const passwordHash = isNew ? await deps.signIn.hashPassword(input.password!) : null;
  return inTransaction(deps.db, (_, tx) =>
    joinByInvitation(tx, deps, { tokenHash, client: caller.client }, (email) =>
      caller.operator
        ? requireSameEmail(caller.operator, email)
        : createAccount(tx, deps, { email, name: input.name, passwordHash }),
    ),
  );
}

/**
 * Uses an invitation up and adds a person to its project.
 *
 * @param findOperator finds or creates the operator whom the invitation is for
 * @throws {DashboardError} `invitation_refused`
 */
export async function joinByInvitation(
  tx: Transaction,
  deps: { clock: () => Date },
  { tokenHash, client }: { tokenHash: string; client: ClientInfo },
  findOperator: (email: string) => { id: string; email: string } | Promise<{ id: string; email: string }>,
): Promise<{ projectRef: string; email: string }> {
  const { projectId, projectRef, role, email } = await lockInvitation(tx, tokenHash, deps.clock());
  // A revocation does not lock the project: this delete waits for it, and then finds no invitation.
  const [used] = await tx
    .delete(invitations)
    .where(eq(invitations.tokenHash, tokenHash))
    .returning({ id: invitations.id });
  if (!used) throw new DashboardError("invitation_refused");
  const operator = await findOperator(email);
  await tx
    .insert(projectMembers)
    .values({ projectId, operatorId: operator.id, role, createdAt: deps.clock() })
    .onConflictDoNothing();
  await writeAudit(
    tx,
    { operator, client, at: deps.clock() },
    { action: "member.joined", projectId, details: { role } },
  );
  return { projectRef, email };
}

/**
 * Finds an invitation and locks its project. A removal of its sender, another use of the link and a new invitation lock the project
 * too, so each of them sees what the earlier ones have changed.
 *
 * @throws {DashboardError} `invitation_refused`
 */
async function lockInvitation(tx: Transaction, tokenHash: string, now: Date) {
  const { projectId, projectRef } = await findInvitation(tx, tokenHash, now);
  await lockProject(tx, { id: projectId, ref: projectRef });
  return findInvitation(tx, tokenHash, now);
}

function requireSameEmail(operator: Operator, email: string): Operator {
  if (operator.email !== email) throw new DashboardError("other_account");
  return operator;
}

async function createAccount(
  tx: Transaction,
  deps: AcceptInvitationDeps,
  { email, name, passwordHash }: { email: string; name: string | undefined; passwordHash: string | null },
): Promise<{ id: string; email: string }> {
  const [existing] = await tx.select({ id: operators.id }).from(operators).where(eq(operators.email, email));
  if (existing) throw new DashboardError("sign_in_to_accept");
  if (name === undefined || passwordHash === null) {
    throw new StowageError("invalid_request", { detail: "name and password are required" });
  }
  return insertOperator(tx, deps, { name, email, passwordHash, isAdmin: false });
}

/** What the invitation page shows before a person accepts. */
export interface InvitationOffer {
  projectName: string;
  email: string;
  role: Role;
  invitedBy: string;
  /** True: the person signs in to accept. False: they choose a name and a password. */
  hasAccount: boolean;
  /** The e-mail address of the operator who opened the link, or null if they are not signed in. */
  signedInAs: string | null;
}

/** Reads an invitation without using it up. @throws {DashboardError} `invitation_refused`; {@link StowageError} `unavailable` */
export function readInvitation(
  deps: { db: Queries; clock: () => Date },
  operator: Pick<Operator, "email"> | null,
  input: { token: string },
): Promise<InvitationOffer> {
  return deps.db.run(async (db) => {
    const { projectName, email, role, invitedBy } = await findInvitation(
      db,
      hashToken(input.token),
      deps.clock(),
    );
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

/**
 * Finds an invitation whose sender may still invite people. An administrator may invite people to a project without an owner. These
 * invitations stay valid after the first owner has joined.
 *
 * @throws {DashboardError} `invitation_refused` if the token is wrong, expired, used or revoked
 */
async function findInvitation(db: Drizzle | Transaction, tokenHash: string, now: Date) {
  // The query looks for the token's hash, so its duration reveals nothing about the token.
  const [found] = await db
    .select({
      projectId: invitations.projectId,
      projectRef: projects.ref,
      projectName: projects.name,
      email: invitations.email,
      role: invitations.role,
      invitedBy: invitations.invitedBy,
    })
    .from(invitations)
    .innerJoin(projects, eq(projects.id, invitations.projectId))
    .innerJoin(operators, eq(operators.email, invitations.invitedBy))
    .leftJoin(
      projectMembers,
      and(eq(projectMembers.projectId, invitations.projectId), eq(projectMembers.operatorId, operators.id)),
    )
    .where(
      and(
        eq(invitations.tokenHash, tokenHash),
        gt(invitations.expiresAt, now),
        isNull(projects.deletedAt),
        // PostgreSQL orders the roles as the list of roles does.
        or(operators.isAdmin, gte(projectMembers.role, INVITER_ROLE)),
      ),
    );
  if (!found) throw new DashboardError("invitation_refused");
  return found;
}
