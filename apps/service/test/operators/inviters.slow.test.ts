import { afterAll, beforeAll, expect, test } from "vitest";
import { aMember, anOperator, anOwnedProject, aPerson, PASSWORD, type Person } from "../fixtures/a-person.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { holdProjectLock } from "../fixtures/hold-project-lock.js";
import { queryDatabase } from "../fixtures/direct-access.js";
import { whileUncommitted } from "../fixtures/while-uncommitted.js";

/*
 * An invitation ends when its sender loses the right to invite.
 */

let service: RunningService;
let owner: Person;
beforeAll(async () => {
  service = await aService();
  owner = await anOperator(service.url);
});
afterAll(() => service.close());

interface Members {
  members: { operatorId: string; email: string; role: string }[];
  invitations: { invitationId: number; email: string }[];
}
const list = async (projectRef: string) => (await owner.query<Members>("members.list", { projectRef })).data;
const operatorIdOf = async (person: Person) => (await person.query<{ id: string }>("session.me")).data.id;

async function anInvitation(sender: Person, projectRef: string, email: string): Promise<string> {
  const answer = await sender.mutate<{ url: string }>("members.invite", { projectRef, email, role: "owner" });
  expect(answer.status).toBe(200);
  return new URL(answer.data.url).hash.slice(1);
}

const join = (person: Person, token: string) =>
  person.mutate("members.accept", { token, name: "New", password: PASSWORD });
const refused = { status: 404, code: "invitation_refused" };

/** A project with two owners. Each owner has invited one person. */
async function aProjectOfTwo() {
  const { projectRef } = await anOwnedProject(owner);
  const second = await aMember(service.url, projectRef, "owner");
  const [kept, revoked] = [aPerson(service.url), aPerson(service.url)];
  const keptToken = await anInvitation(owner, projectRef, kept.email);
  const revokedToken = await anInvitation(second, projectRef, revoked.email);
  return { projectRef, second, secondId: await operatorIdOf(second), kept, keptToken, revoked, revokedToken };
}

test.each([
  [
    "is removed",
    (projectRef: string, operatorId: string) => owner.mutate("members.remove", { projectRef, operatorId }),
    "member.removed",
  ],
  [
    "leaves",
    (projectRef: string, operatorId: string, second: Person) =>
      second.mutate("members.remove", { projectRef, operatorId }),
    "member.removed",
  ],
  [
    "gets a role that may not invite",
    (projectRef: string, operatorId: string) =>
      owner.mutate("members.changeRole", { projectRef, operatorId, role: "member" }),
    "member.role_changed",
  ],
])(
  "the open invitations of a member who %s are revoked, and those of others stay",
  async (_, end, action) => {
    const project = await aProjectOfTwo();
    const { projectRef, second, secondId } = project;
    expect((await end(projectRef, secondId, second)).status).toBe(200);
    expect((await list(projectRef)).invitations).toMatchObject([{ email: project.kept.email }]);
    expect(await join(project.revoked, project.revokedToken)).toMatchObject(refused);
    const { data } = await owner.query<{ lines: { action: string; details: object }[] }>("audit.list", {
      projectRef,
    });
    expect(data.lines.slice(0, 2)).toMatchObject([
      {
        action: "member.invitation_revoked",
        details: { email: project.revoked.email, invitedBy: second.email },
      },
      { action },
    ]);
    expect((await join(project.kept, project.keptToken)).status).toBe(200);
  },
);

test("a member's invitations to other projects stay when they leave one", async () => {
  const { projectRef, second, secondId } = await aProjectOfTwo();
  const other = await anOwnedProject(second);
  const guest = aPerson(service.url);
  const token = await anInvitation(second, other.projectRef, guest.email);
  await owner.mutate("members.remove", { projectRef, operatorId: secondId });
  expect((await join(guest, token)).status).toBe(200);
});

test("a new owner keeps their invitations when their role is set to owner again", async () => {
  const { projectRef, secondId } = await aProjectOfTwo();
  await owner.mutate("members.changeRole", { projectRef, operatorId: secondId, role: "owner" });
  expect((await list(projectRef)).invitations).toHaveLength(2);
});

test("refuses a link whose sender was removed before this rule existed", async () => {
  const { projectRef, second, revoked, revokedToken } = await aProjectOfTwo();
  await queryDatabase(
    `delete from project_members using operators o, projects p
     where o.id = operator_id and o.email = $1 and p.id = project_id and p.ref = $2`,
    [second.email, projectRef],
  );
  expect(await join(revoked, revokedToken)).toMatchObject(refused);
  expect((await list(projectRef)).members).toHaveLength(1);
});

test("an administrator's link to a project without an owner works after another owner has joined", async () => {
  const admin = await anOperator(service.url, { isAdmin: true });
  const { projectRef } = await anOwnedProject(admin);
  await queryDatabase(
    "delete from project_members where project_id = (select id from projects where ref = $1)",
    [projectRef],
  );
  const [first, second] = [aPerson(service.url), aPerson(service.url)];
  const tokens = [
    await anInvitation(admin, projectRef, first.email),
    await anInvitation(admin, projectRef, second.email),
  ] as const;
  expect((await join(first, tokens[0])).status).toBe(200);
  expect((await join(second, tokens[1])).status).toBe(200);
});

test("of a removal and an acceptance at the same time, the removal wins if it is first", async () => {
  const { projectRef, secondId, revoked, revokedToken } = await aProjectOfTwo();
  const lock = await holdProjectLock(projectRef);
  const removing = owner.mutate("members.remove", { projectRef, operatorId: secondId });
  await lock.waiting(1);
  const joining = join(revoked, revokedToken);
  await lock.waiting(2);
  await lock.release();
  expect((await removing).status).toBe(200);
  expect(await joining).toMatchObject(refused);
  expect((await list(projectRef)).members).toHaveLength(1);
});

test("refuses the invitation of a member whose removal began before it", async () => {
  const { projectRef, second, secondId } = await aProjectOfTwo();
  const lock = await holdProjectLock(projectRef);
  const removing = owner.mutate("members.remove", { projectRef, operatorId: secondId });
  await lock.waiting(1);
  const inviting = second.mutate("members.invite", { projectRef, email: "late@example.com", role: "owner" });
  await lock.waiting(2);
  await lock.release();
  expect((await removing).status).toBe(200);
  expect(await inviting).toMatchObject({ status: 404, code: "not_found" });
  expect((await list(projectRef)).invitations).toHaveLength(1);
});

test("a link that is revoked while a person uses it is refused", async () => {
  const { projectRef, revoked, revokedToken } = await aProjectOfTwo();
  let joining: ReturnType<typeof join> | undefined;
  await whileUncommitted("delete from invitations where email = $1", [revoked.email], (isWaiting) => {
    joining = join(revoked, revokedToken);
    return isWaiting(joining);
  });
  expect(await joining).toMatchObject(refused);
  expect((await list(projectRef)).members).toHaveLength(2);
});
