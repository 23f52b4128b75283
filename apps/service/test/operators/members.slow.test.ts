import { afterAll, beforeAll, expect, test } from "vitest";
import { aMember, anOperator, anOwnedProject, aPerson, PASSWORD, type Person } from "../fixtures/a-person.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { queryDatabase } from "../fixtures/direct-access.js";

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

async function anInvitation(projectRef: string, email: string, role = "viewer"): Promise<string> {
  const answer = await owner.mutate<{ url: string }>("members.invite", { projectRef, email, role });
  expect(answer.status).toBe(200);
  return new URL(answer.data.url).hash.slice(1);
}

const join = (person: Person, token: string) =>
  person.mutate<{ projectRef: string }>("members.accept", { token, name: "New", password: PASSWORD });

test("an invitation link makes a new operator a member once, with its role", async () => {
  const { projectRef, name } = await anOwnedProject(owner);
  const person = aPerson(service.url);
  const token = await anInvitation(projectRef, person.email.toUpperCase(), "member");
  expect((await person.mutate("members.readInvitation", { token })).data).toEqual({
    projectName: name,
    email: person.email,
    role: "member",
    invitedBy: owner.email,
    hasAccount: false,
    signedInAs: null,
  });
  expect((await join(person, token)).data).toEqual({ projectRef, email: person.email });
  expect((await person.signIn()).status).toBe(200);
  expect((await person.query("projects.read", { projectRef })).data).toMatchObject({ role: "member" });
  expect((await person.query("session.me")).data).toMatchObject({ isAdmin: false });
  expect(await join(aPerson(service.url), token)).toMatchObject({ status: 404, code: "invitation_refused" });
  expect((await list(projectRef)).invitations).toEqual([]);
});

test("only one of several people who use a link at the same time becomes a member", async () => {
  const { projectRef } = await anOwnedProject(owner);
  const person = aPerson(service.url);
  const token = await anInvitation(projectRef, person.email);
  const answers = await Promise.all(Array.from({ length: 6 }, () => join(aPerson(service.url), token)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404, 404, 404]);
  expect((await list(projectRef)).members).toHaveLength(2);
});

test("a link does not sign in to an existing account", async () => {
  const { projectRef } = await anOwnedProject(owner);
  const person = await anOperator(service.url);
  const token = await anInvitation(projectRef, person.email);
  const thief = aPerson(service.url);
  expect(await join(thief, token)).toMatchObject({ status: 409, code: "sign_in_to_accept" });
  const other = await anOperator(service.url);
  expect(await join(other, token)).toMatchObject({ status: 409, code: "other_account" });
  expect((await person.mutate("members.accept", { token })).status).toBe(200);
  expect((await person.signIn()).status).toBe(200); // with the password of the account
});

test("a link ends after a week, when it is revoked, when another one is made for the address, and when its project is deleted", async () => {
  const { projectRef, name } = await anOwnedProject(owner);
  const refused = { status: 404, code: "invitation_refused" };
  const person = aPerson(service.url);

  const first = await anInvitation(projectRef, person.email);
  const second = await anInvitation(projectRef, person.email);
  expect(await join(person, first)).toMatchObject(refused);

  const [open] = (await list(projectRef)).invitations;
  await owner.mutate("members.revokeInvitation", { projectRef, invitationId: open!.invitationId });
  expect(await join(person, second)).toMatchObject(refused);

  const third = await anInvitation(projectRef, person.email);
  await queryDatabase("update invitations set expires_at = now() where email = $1", [person.email]);
  expect(await join(person, third)).toMatchObject(refused);

  const fourth = await anInvitation(projectRef, person.email);
  await owner.mutate("projects.delete", { projectRef, name });
  expect(await join(person, fourth)).toMatchObject(refused);
});

test("stores only the hash of a link's token, and puts the token in no log and no later answer", async () => {
  const { projectRef } = await anOwnedProject(owner);
  const token = await anInvitation(projectRef, aPerson(service.url).email);
  const kept = await queryDatabase(
    "select i::text from invitations i union all select a::text from audit_log a",
    [],
  );
  expect(JSON.stringify(kept)).not.toContain(token);
  expect(service.log()).not.toContain(token);
  expect((await owner.query("members.list", { projectRef })).text).not.toContain(token);
});

test("refuses to invite a member again", async () => {
  const { projectRef } = await anOwnedProject(owner);
  const viewer = await aMember(service.url, projectRef, "viewer");
  const again = await owner.mutate("members.invite", { projectRef, email: viewer.email, role: "owner" });
  expect(again).toMatchObject({ status: 409, code: "already_member" });
});

test("a changed or removed role applies to the next call", async () => {
  const { projectRef } = await anOwnedProject(owner);
  const person = await aMember(service.url, projectRef, "viewer");
  const operatorId = (await list(projectRef)).members.find(({ email }) => email === person.email)!.operatorId;
  const rename = () => person.mutate("settings.rename", { projectRef, name: "Renamed" });
  expect((await rename()).status).toBe(403);
  await owner.mutate("members.changeRole", { projectRef, operatorId, role: "owner" });
  expect((await rename()).status).toBe(200);
  await owner.mutate("members.remove", { projectRef, operatorId });
  expect(await rename()).toMatchObject({ status: 404, code: "not_found" });
  expect((await person.query("session.me")).status).toBe(200);
});

test("a project keeps an owner, also when all owners leave at the same time", async () => {
  const { projectRef } = await anOwnedProject(owner);
  const [me] = (await list(projectRef)).members;
  const leave = (person: Person, operatorId: string) =>
    person.mutate("members.remove", { projectRef, operatorId });
  expect(await leave(owner, me!.operatorId)).toMatchObject({ status: 409, code: "last_owner" });
  const demoted = { projectRef, operatorId: me!.operatorId, role: "viewer" };
  expect(await owner.mutate("members.changeRole", demoted)).toMatchObject({
    status: 409,
    code: "last_owner",
  });

  const second = await aMember(service.url, projectRef, "owner");
  const { members } = await list(projectRef);
  const answers = await Promise.all(
    [owner, second].map((person) =>
      leave(person, members.find(({ email }) => email === person.email)!.operatorId),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
});

test("hides the members and invitations of another project, also from a caller who knows their ids", async () => {
  const mine = await anOwnedProject(owner);
  const stranger = await anOperator(service.url);
  const theirs = await anOwnedProject(stranger);
  const strangerId = (await stranger.query<{ id: string }>("session.me")).data.id;
  await stranger.mutate("members.invite", {
    projectRef: theirs.projectRef,
    email: "x@example.com",
    role: "viewer",
  });
  const theirList = await stranger.query<Members>("members.list", { projectRef: theirs.projectRef });
  const { invitationId } = theirList.data.invitations[0]!;
  const { projectRef } = mine;
  const changes = [
    owner.mutate("members.remove", { projectRef, operatorId: strangerId }),
    owner.mutate("members.changeRole", { projectRef, operatorId: strangerId, role: "viewer" }),
    owner.mutate("members.revokeInvitation", { projectRef, invitationId }),
  ];
  expect((await Promise.all(changes)).map(({ status }) => status)).toEqual([404, 404, 404]);
  const after = await stranger.query<Members>("members.list", { projectRef: theirs.projectRef });
  expect(after.data).toEqual(theirList.data);
});

test("writes each change of a project's members to its audit log, with the operator", async () => {
  const { projectRef } = await anOwnedProject(owner);
  const [revoked, person] = [aPerson(service.url), aPerson(service.url)];
  await anInvitation(projectRef, revoked.email, "member");
  const [open] = (await list(projectRef)).invitations;
  await owner.mutate("members.revokeInvitation", { projectRef, invitationId: open!.invitationId });
  await join(person, await anInvitation(projectRef, person.email, "viewer"));
  const operatorId = (await list(projectRef)).members.find(({ email }) => email === person.email)!.operatorId;
  await owner.mutate("members.changeRole", { projectRef, operatorId, role: "member" });
  await owner.mutate("members.remove", { projectRef, operatorId });

  const { data } = await owner.query<{ lines: { action: string; operatorEmail: string; details: object }[] }>(
    "audit.list",
    { projectRef },
  );
  const by = (operatorEmail: string, action: string, details: object) => ({ action, operatorEmail, details });
  expect(data.lines.map(({ action, operatorEmail, details }) => by(operatorEmail, action, details))).toEqual([
    by(owner.email, "member.removed", { email: person.email, role: "member" }),
    by(owner.email, "member.role_changed", { email: person.email, role_before: "viewer", role: "member" }),
    by(person.email, "member.joined", { role: "viewer" }),
    by(owner.email, "member.invited", { email: person.email, role: "viewer" }),
    by(owner.email, "member.invitation_revoked", { email: revoked.email }),
    by(owner.email, "member.invited", { email: revoked.email, role: "member" }),
    by(owner.email, "project.created", expect.anything() as object),
  ]);
});
