import type { AnyProcedure } from "@trpc/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Meta } from "#trpc/procedures.js";
import { appRouter } from "#trpc/router.js";
import { aMember, anOperator, anOwnedProject, aPerson, type Person } from "../fixtures/a-person.js";
import { aService, type RunningService } from "../fixtures/a-service.js";

/*
 * Calls every procedure of the router over HTTP in every role. No procedure is named here, so a new one is tested automatically.
 */
// At run time the router is flat: it maps paths such as "projects.list" to procedures.
const byPath = appRouter._def.procedures as unknown as Record<string, AnyProcedure>;
const procedures = Object.entries(byPath).map(([path, procedure]) => ({
  path,
  type: procedure._def.type,
  meta: procedure._def.meta as Meta | undefined,
}));
const audiences = ["public", "setUp", "operator", "admin", "viewer", "member", "owner"] as const;
const callers = [
  "signedOut",
  "withoutProject",
  "admin",
  "ownerOfAnother",
  "viewer",
  "member",
  "owner",
] as const;
type Caller = (typeof callers)[number];

let service: RunningService;
let projectRef: string;
let people: Record<Caller, Person>;
beforeAll(async () => {
  service = await aService();
  const owner = await anOperator(service.url);
  ({ projectRef } = await anOwnedProject(owner));
  const ownerOfAnother = await anOperator(service.url);
  await anOwnedProject(ownerOfAnother);
  people = {
    signedOut: aPerson(service.url),
    withoutProject: await anOperator(service.url),
    admin: await anOperator(service.url, { isAdmin: true }),
    ownerOfAnother,
    viewer: await aMember(service.url, projectRef, "viewer"),
    member: await aMember(service.url, projectRef, "member"),
    owner,
  };
});
afterAll(() => service.close());

/** Returns the expected refusal for a caller, or undefined if the call is allowed. */
function refusalFor(role: Meta["role"], who: Caller): string | undefined {
  if (role === "public") return undefined;
  if (who === "signedOut") return "401 signed_out";
  if (role === "setUp" || role === "operator") return undefined;
  if (role === "admin") return who === "admin" ? undefined : "403 admins_only";
  // The project has an owner, so an administrator is a stranger to it.
  if (["withoutProject", "admin", "ownerOfAnother"].includes(who)) return "404 not_found";
  return audiences.indexOf(who as "viewer") < audiences.indexOf(role) ? "403 role_too_low" : undefined;
}

test("every procedure declares its required role", () => {
  expect(procedures.length).toBeGreaterThan(15);
  for (const { path, meta } of procedures)
    expect([path, audiences.includes(meta?.role as "owner")]).toEqual([path, true]);
});

test("the required roles are the agreed ones", () => {
  expect(Object.fromEntries(procedures.map(({ path, meta }) => [path, meta?.role]))).toMatchInlineSnapshot(`
    {
      "audit.list": "owner",
      "files.count": "viewer",
      "files.delete": "member",
      "files.discardUploads": "member",
      "files.folders": "viewer",
      "files.history": "viewer",
      "files.hold": "member",
      "files.links": "viewer",
      "files.list": "viewer",
      "files.read": "viewer",
      "files.restore": "member",
      "files.restoreVersion": "member",
      "files.retryVariants": "member",
      "files.setVisibility": "member",
      "files.thumbnails": "viewer",
      "files.update": "member",
      "files.variants": "viewer",
      "files.versionLink": "viewer",
      "files.versions": "viewer",
      "health.read": "admin",
      "health.refusedRequests": "viewer",
      "health.requests": "admin",
      "key.describe": "viewer",
      "key.regenerate": "owner",
      "links.create": "member",
      "links.list": "viewer",
      "links.revoke": "member",
      "members.accept": "public",
      "members.changeRole": "owner",
      "members.invite": "owner",
      "members.list": "viewer",
      "members.readInvitation": "public",
      "members.remove": "owner",
      "members.revokeInvitation": "owner",
      "operators.endSessions": "admin",
      "operators.list": "admin",
      "operators.setProjectGrant": "admin",
      "overview.newestUploads": "viewer",
      "overview.perDay": "viewer",
      "overview.read": "viewer",
      "overview.refusals": "viewer",
      "overview.uploads": "viewer",
      "passwordReset.finish": "public",
      "passwordReset.read": "public",
      "plans.delete": "owner",
      "plans.list": "viewer",
      "plans.save": "owner",
      "presets.delete": "owner",
      "presets.list": "viewer",
      "presets.retry": "member",
      "presets.save": "owner",
      "presets.troubles": "viewer",
      "projects.create": "operator",
      "projects.delete": "owner",
      "projects.list": "operator",
      "projects.pages": "viewer",
      "projects.read": "viewer",
      "projects.storages": "operator",
      "quarantine.list": "viewer",
      "quarantine.release": "owner",
      "session.activity": "operator",
      "session.disconnectOidc": "operator",
      "session.end": "operator",
      "session.endOthers": "operator",
      "session.list": "operator",
      "session.me": "setUp",
      "session.signInMethods": "operator",
      "settings.rename": "owner",
      "settings.update": "owner",
      "setup.finish": "public",
      "setup.status": "public",
      "tenants.count": "viewer",
      "tenants.delete": "owner",
      "tenants.list": "viewer",
      "tenants.read": "viewer",
      "tenants.setLimits": "member",
      "tenants.usagePerDay": "viewer",
      "tryIt.complete": "member",
      "tryIt.request": "member",
      "webhooks.change": "owner",
      "webhooks.create": "owner",
      "webhooks.delete": "owner",
      "webhooks.deliveries": "viewer",
      "webhooks.list": "viewer",
      "webhooks.readDelivery": "viewer",
      "webhooks.redeliver": "member",
      "webhooks.redeliverSince": "member",
      "webhooks.rotateSecret": "owner",
      "webhooks.sendTest": "member",
    }
  `);
});

function callOf(person: Person, type: "query" | "mutation" | "subscription") {
  if (type === "subscription") return person.firstEvent;
  return type === "mutation" ? person.mutate : person.query;
}

describe.each(procedures)("$path", ({ path, type, meta }) => {
  test.each(callers)("gives %s what its declaration says", async (who) => {
    // The input contains only the project, so an allowed call is refused as invalid and changes nothing.
    const call = callOf(people[who], type);
    const answer = await call(path, { projectRef });
    const refusal = refusalFor(meta!.role, who);
    if (refusal !== undefined) return expect(`${answer.status} ${answer.code}`).toBe(refusal);
    expect([200, 400]).toContain(answer.status);
  });
});

const ofProjects = procedures.filter(
  ({ meta }) => !["public", "setUp", "operator", "admin"].includes(meta!.role),
);

test.each(ofProjects)(
  "$path refuses an unknown project, and input without a project",
  async ({ path, type }) => {
    const call = callOf(people.owner, type);
    expect(await call(path, { projectRef: "nothere" })).toMatchObject({ status: 404, code: "not_found" });
    expect(await call(path, { projectRef: [projectRef] })).toMatchObject({ status: 400 });
    expect(await call(path, {})).toMatchObject({ status: 400, code: "invalid_request" });
  },
);

test("only owners see the query of a webhook endpoint's URL", async () => {
  const endpoint = { projectRef, url: "https://example.com/hook?token=secret", events: ["file.stored"] };
  expect(await people.owner.mutate("webhooks.create", endpoint)).toMatchObject({ status: 200 });
  const urlsFor = async (who: Caller) =>
    (await people[who].query<{ url: string }[]>("webhooks.list", { projectRef })).data.map(({ url }) => url);
  expect(await urlsFor("owner")).toEqual(["https://example.com/hook?token=secret"]);
  for (const who of ["viewer", "member"] as const)
    expect(await urlsFor(who)).toEqual(["https://example.com/hook"]);
});
