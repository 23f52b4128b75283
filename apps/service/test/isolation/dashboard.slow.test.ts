import type { AnyProcedure } from "@trpc/server";
import { roles } from "@stowage/operator-schemas";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Meta } from "#trpc/procedures.js";
import { appRouter } from "#trpc/router.js";
import { aMember, anOperator, anOwnedProject, aPerson, type Person } from "../fixtures/a-person.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { comparable, differencesOf, type RawAnswer, withoutSent } from "./answer.js";
import { aStateReader, type ProjectState, secretsOf, type StateReader } from "./project-state.js";
import { aTarget, ghostOf, type OwnTarget, type Target } from "./target.js";
import { type DashboardCase, exportCases, procedureCases, type ProcedurePath } from "./dashboard-cases.js";

/*
 * Makes every call of the dashboard, procedures and exports, on resources of another project: as each kind of caller without a role in it, and with
 * references to them in the caller's own project. The answer must be byte for byte the answer for resources that do not exist.
 */
type Stranger =
  | "a visitor"
  | "a signed-out operator"
  | "an operator without a project"
  | "another owner"
  | "a former owner";
const strangers: Stranger[] = [
  "a visitor",
  "a signed-out operator",
  "an operator without a project",
  "another owner",
  "a former owner",
];

let service: RunningService;
let people: Record<Stranger | "a viewer" | "a member", Person>;
let colleague: Person;
let victim: OwnTarget;
let ghost: Target;
let own: { reading: OwnTarget; changing: OwnTarget };
let state: StateReader;
let before: ProjectState;
let secrets: string[];
beforeAll(async () => {
  // A delivery would change the state of the victim during an attack.
  service = await aService({ WEBHOOKS: "off" });
  const { url } = service;
  const [owner, member, anotherOwner, withoutProject, other] = await Promise.all(
    [1, 2, 3, 4, 5].map(() => anOperator(url)),
  );
  colleague = other!;
  await Promise.all([anOwnedProject(owner!), anOwnedProject(anotherOwner!)]);
  victim = await aTarget(url, owner!, member!);
  const { projectRef } = victim;
  people = {
    "a visitor": aPerson(url),
    "a signed-out operator": await aSignedOutOperator(url),
    "an operator without a project": withoutProject!,
    "another owner": anotherOwner!,
    "a former owner": await aFormerOwner(url, owner!, projectRef),
    "a viewer": await aMember(url, projectRef, "viewer"),
    "a member": await aMember(url, projectRef, "member"),
  };
  own = { reading: await anOwn(), changing: await anOwn() };
  ghost = ghostOf(victim);
  state = await aStateReader();
  before = await state.read(projectRef);
  secrets = secretsOf(before, await state.read(own.reading.projectRef));
});
afterAll(() => Promise.all([service.close(), state.close()]));

const anOwn = () => aTarget(service.url, people["another owner"], colleague);

/** Returns a person whose browser still has the cookies of a session that has ended. */
async function aSignedOutOperator(url: string): Promise<Person> {
  const person = await anOperator(url);
  const cookies = [...person.cookies];
  await person.auth("sign-out", {});
  for (const [name, value] of cookies) person.cookies.set(name, value);
  return person;
}

async function aFormerOwner(url: string, owner: Person, projectRef: string): Promise<Person> {
  const person = await aMember(url, projectRef, "owner");
  const { data } = await person.query<{ id: string }>("session.me");
  await owner.mutate("members.remove", { projectRef, operatorId: data.id });
  return person;
}

/** A procedure or an export, with one input. */
interface Call extends DashboardCase {
  name: string;
  what: string;
  role: Meta["role"];
  isChanging: boolean;
  send(person: Person, input: object): Promise<RawAnswer>;
}

// At run time the router is flat: it maps paths such as "projects.list" to procedures.
const procedures = appRouter._def.procedures as unknown as Record<ProcedurePath, AnyProcedure>;

const procedureCalls = Object.entries(procedureCases).flatMap(([path, cases]) => {
  const { type, meta } = procedures[path as ProcedurePath]._def;
  const methods = { query: "query", mutation: "mutate", subscription: "firstEvent" } as const;
  return Object.entries(cases).map(([what, one]): Call => {
    const send: Call["send"] = (person, input) => person[methods[type]](path, input);
    return { name: path, what, role: (meta as Meta).role, isChanging: type === "mutation", send, ...one };
  });
});

const exportCalls = Object.entries(exportCases).flatMap(([list, { role, cases }]) =>
  Object.entries(cases).map(([what, one]): Call => {
    const send: Call["send"] = (person, input) => download(person, `${list}.csv`, input);
    return { name: `${list}.csv`, what, role, isChanging: false, send, ...one };
  }),
);

async function download(person: Person, file: string, query: object): Promise<RawAnswer> {
  const answer = await fetch(`${service.url}/dashboard/export/${file}?${new URLSearchParams({ ...query })}`, {
    headers: { Cookie: [...person.cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
    signal: AbortSignal.timeout(60_000),
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

const isOfProject = ({ role }: Call) => (roles as readonly string[]).includes(role);

/**
 * Makes a call about the victim's resources and the same call about resources that do not exist, and compares the answers.
 *
 * @returns the status of both
 */
async function attack(who: string, person: Person, call: Call, [input, missing]: [object, object]) {
  const sent = differencesOf(input, missing);
  const [answer, miss] = [await call.send(person, input), await call.send(person, missing)];
  // An answer that renews a session repeats the caller's own cookies.
  const known = [...sent.one, person.email, ...person.cookies.values()];
  const seen = withoutSent(answer.text + JSON.stringify([...answer.headers]), known);
  expect(
    secrets.filter((secret) => seen.includes(secret)),
    who,
  ).toEqual([]);
  // Two equal calls may differ: the second one finds what the first one has done to the caller's own account.
  if (sent.one.length > 0) expect(comparable(answer, sent.one), who).toEqual(comparable(miss, sent.other));
  return answer.status;
}

test("every procedure has a call on another project's resources", () => {
  expect(Object.keys(procedureCases).toSorted()).toEqual(Object.keys(procedures).toSorted());
  for (const cases of Object.values(procedureCases)) expect(Object.keys(cases).length).toBeGreaterThan(0);
});

test.each([...procedureCalls, ...exportCalls])(
  "$name with $what of another project is answered as if there were no such resource",
  async (call) => {
    const inProject = (target: Target, projectRef = target.projectRef) => ({
      ...(isOfProject(call) ? { projectRef } : {}),
      ...call.input(target),
    });
    await Promise.all(
      strangers.map(async (stranger) => {
        const status = await attack(stranger, people[stranger], call, [inProject(victim), inProject(ghost)]);
        expect(status, stranger).toBe(expectedStatus(call, stranger) ?? status);
      }),
    );
    for (const who of lowerRoles(call)) {
      const inputs: [object, object] = [inProject(victim), inProject(ghost, victim.projectRef)];
      expect(await attack(who, people[who], call, inputs), who).toBe(403);
    }

    const mine = call.usesUp ? await anOwn() : call.isChanging ? own.changing : own.reading;
    const caller = people["another owner"];
    const inOwn: [object, object] = [inProject(victim, mine.projectRef), inProject(ghost, mine.projectRef)];
    await attack("another owner, in their own project", caller, call, inOwn);
    expect(await state.read(victim.projectRef)).toEqual(before);
    const { allowed = 200 } = call;
    if (allowed !== null) expect(await call.send(caller, inProject(mine))).toMatchObject({ status: allowed });
  },
);

function expectedStatus(call: Call, stranger: Stranger): number | undefined {
  if (call.role === "public") return undefined;
  if (stranger === "a visitor" || stranger === "a signed-out operator") return 401;
  if (call.role === "admin") return 403;
  return isOfProject(call) ? 404 : undefined;
}

function lowerRoles({ role }: Call): ("a viewer" | "a member")[] {
  if (role === "owner") return ["a viewer", "a member"];
  return role === "member" ? ["a viewer"] : [];
}
