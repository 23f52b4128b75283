import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anOperator, type Person } from "../fixtures/a-person.js";
import { aService, type RunningService } from "../fixtures/a-service.js";

const policies = ["admins", "granted", "everyone"] as const;
let services: Record<(typeof policies)[number], RunningService>;
let admin: Person;
beforeAll(async () => {
  const [admins, granted, everyone] = await Promise.all([
    aService({ PROJECT_CREATION: "admins" }),
    // The default of the setting.
    aService({ PROJECT_CREATION: "" }),
    aService({ PROJECT_CREATION: "everyone" }),
  ]);
  services = { admins, granted, everyone };
  admin = await anOperator(granted.url, { isAdmin: true });
});
afterAll(() => Promise.all(policies.map((policy) => services[policy].close())));

interface Operators {
  operators: { operatorId: string; email: string; hasProjectGrant: boolean; mayCreateProjects: boolean }[];
  nextCursor: string | null;
  projectCreation: string;
}
const create = (person: Person) => person.mutate("projects.create", { name: "New" });
const me = async (person: Person) =>
  (await person.query<{ id: string; mayCreateProjects: boolean }>("session.me")).data;
const grant = async (person: Person, isGranted: boolean) =>
  admin.mutate("operators.setProjectGrant", { operatorId: (await me(person)).id, isGranted });

describe.each([
  { policy: "admins", mayAdmin: true, mayGranted: false, mayOther: false },
  { policy: "granted", mayAdmin: true, mayGranted: true, mayOther: false },
  { policy: "everyone", mayAdmin: true, mayGranted: true, mayOther: true },
] as const)("with PROJECT_CREATION $policy", ({ policy, mayAdmin, mayGranted, mayOther }) => {
  test("creates projects for the operators who may, and refuses the others with a code of its own", async () => {
    const { url } = services[policy];
    const granted = await anOperator(url);
    expect((await grant(granted, true)).status).toBe(200);
    const people = [
      { person: await anOperator(url, { isAdmin: true }), may: mayAdmin },
      { person: granted, may: mayGranted },
      { person: await anOperator(url), may: mayOther },
    ];
    for (const { person, may } of people) {
      expect((await me(person)).mayCreateProjects).toBe(may);
      expect(await create(person)).toMatchObject(
        may ? { status: 200 } : { status: 403, code: "project_creation_refused" },
      );
      const { data } = await person.query<{ projects: unknown[] }>("projects.list", { q: "New" });
      expect(data.projects.length > 0).toBe(may);
    }
  });
});

test("a grant is taken back with immediate effect, and each change has one audit entry of the administrator", async () => {
  const person = await anOperator(services.granted.url);
  const { id } = await me(person);
  for (const isGranted of [true, true, false]) expect((await grant(person, isGranted)).status).toBe(200);
  expect(await create(person)).toMatchObject({ code: "project_creation_refused" });
  const { data } = await admin.query<{ lines: { action: string; details: { email?: string } }[] }>(
    "session.activity",
    {},
  );
  const lines = data.lines.filter(({ details }) => details.email === person.email);
  expect(lines.map(({ action }) => action)).toEqual([
    "operator.project_creation_withdrawn",
    "operator.project_creation_granted",
  ]);
  expect(
    await admin.mutate("operators.setProjectGrant", { operatorId: `${id}x`, isGranted: true }),
  ).toMatchObject({ status: 404, code: "not_found" });
});

test("lists the operators to administrators only, in pages, and finds them by name and address", async () => {
  const people = await Promise.all([1, 2, 3].map(() => anOperator(services.granted.url)));
  await grant(people[0]!, true);
  const list = (query: object) => admin.query<Operators>("operators.list", query);
  const emails: string[] = [];
  let cursor: string | null | undefined;
  do {
    const { data } = await list({ limit: 2, ...(cursor ? { cursor } : {}) });
    expect(data.operators.length).toBeLessThanOrEqual(2);
    expect(data.projectCreation).toBe("granted");
    emails.push(...data.operators.map(({ email }) => email));
    cursor = data.nextCursor;
  } while (cursor);
  expect(emails).toEqual([...new Set(emails)]);
  expect(emails).toEqual(expect.arrayContaining([admin.email, ...people.map(({ email }) => email)]));
  const { data } = await list({ q: people[0]!.email.toUpperCase() });
  expect(data.operators).toMatchObject([
    { email: people[0]!.email, hasProjectGrant: true, mayCreateProjects: true },
  ]);
  expect((await list({ q: "A Person" })).data.operators.length).toBeGreaterThan(3);
  expect(await people[1]!.query("operators.list", {})).toMatchObject({ status: 403, code: "admins_only" });
  expect(await admin.query("operators.list", { cursor: "nonsense" })).toMatchObject({ status: 400 });
});

test("refuses an unknown value of the setting at the start", async () => {
  await expect(aService({ PROJECT_CREATION: "all" })).rejects.toThrow(
    "The setting PROJECT_CREATION must be admins, granted or everyone.",
  );
});
