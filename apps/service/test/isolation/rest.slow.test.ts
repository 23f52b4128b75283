import { operations } from "@stowage/schemas";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { anOperator, anOwnedProject, type Person } from "../fixtures/a-person.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { anUpload, putBytes } from "../fixtures/call.js";
import { comparable, differencesOf, type RawAnswer, withoutSent } from "./answer.js";
import { aStateReader, type ProjectState, secretsOf, type StateReader } from "./project-state.js";
import { changedByCall, type KeyedOperation, restCases, type RestRequest } from "./rest-cases.js";
import { aTarget, ghostOf, type OwnTarget, type Target, withNewFiles } from "./target.js";

/*
 * Makes every call of the REST API with the key of one project on resources of another one. The answer must be byte for byte the
 * answer for resources that do not exist.
 */
const EVENTS_SECRET = "the-secret-of-storage";

let service: RunningService;
let people: { victim: Person; attacker: Person; member: Person };
let victim: OwnTarget;
let ghost: Target;
/** The caller's own project. Calls that change something use another one, so that lists contain only what `aTarget` made. */
let own: { reading: OwnTarget; changing: OwnTarget };
let state: StateReader;
let before: ProjectState;
let secrets: string[];
beforeAll(async () => {
  service = await aService({ STORAGE_EVENTS_SECRET: EVENTS_SECRET, WEBHOOKS: "off" });
  const [one, attacker, member] = await Promise.all([1, 2, 3].map(() => anOperator(service.url)));
  people = { victim: one!, attacker: attacker!, member: member! };
  await anOwnedProject(people.victim);
  victim = await aTarget(service.url, people.victim, people.member);
  await anOwnedProject(people.attacker);
  const anOwn = () => aTarget(service.url, people.attacker, people.member);
  own = { reading: await anOwn(), changing: await anOwn() };
  state = await aStateReader();
  ghost = ghostOf(victim);
  before = await state.read(victim.projectRef);
  secrets = secretsOf(before, await state.read(own.reading.projectRef));
});
afterAll(() => Promise.all([service.close(), state.close()]));

function chooseOwn(id: KeyedOperation): Promise<OwnTarget> | OwnTarget {
  const changed = changedByCall[id];
  if (changed === "rows") return own.changing;
  if (changed === "files") return withNewFiles(service.url, people.attacker, own.changing);
  if (changed === "tenant") return aTarget(service.url, people.attacker, people.member);
  return own.reading;
}

async function send(
  id: KeyedOperation,
  key: string,
  { body, query, headers }: RestRequest,
): Promise<RawAnswer> {
  const { method, path } = operations[id];
  const answer = await fetch(`${service.url}${path}?${new URLSearchParams(query)}`, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(body ? { "Content-Type": "application/json" } : {}),
      ...headers,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: AbortSignal.timeout(60_000),
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

const all = Object.entries(restCases).flatMap(([id, cases]) =>
  Object.entries(cases).map(([what, one]) => ({ id: id as KeyedOperation, what, ...one })),
);

test("every call has a request that names another project's resources", () => {
  const keyed = Object.entries(operations).filter(([, operation]) => !("isPublic" in operation));
  expect(Object.keys(restCases).toSorted()).toEqual(keyed.map(([id]) => id).toSorted());
  for (const cases of Object.values(restCases)) expect(Object.keys(cases).length).toBeGreaterThan(0);
});

test.each(all)(
  "$id with $what of another project is answered as if there were no such resource",
  async ({ id, request, allowed = 200 }) => {
    const mine = await chooseOwn(id);
    const [attack, miss] = [request(victim, mine), request(ghost, mine)];
    const sent = differencesOf(attack, miss);
    const answer = await send(id, mine.apiKey, attack);
    expect(comparable(answer, sent.one)).toEqual(comparable(await send(id, mine.apiKey, miss), sent.other));
    const seen = withoutSent(answer.text + JSON.stringify([...answer.headers]), sent.one);
    expect(secrets.filter((secret) => seen.includes(secret))).toEqual([]);
    expect(await state.read(victim.projectRef)).toEqual(before);
    expect((await send(id, mine.apiKey, request(mine, mine))).status).toBe(allowed);
  },
);

test("a storage event without the secret is refused alike for every file, and changes nothing", async () => {
  const upload = await anUpload(service.url, victim.apiKey, {
    tenant_id: victim.tenantId,
    filename: "a.txt",
  });
  expect(await putBytes(upload, Buffer.from("hello"))).toBe(200);
  const arrived = await state.read(victim.projectRef);
  const notify = async (path: string, headers: Record<string, string>, query = ""): Promise<RawAnswer> => {
    const object = { key: path };
    const record = {
      eventName: "ObjectCreated:Put",
      s3: { bucket: { name: inject("servers").S3_BUCKET }, object },
    };
    const answer = await fetch(`${service.url}/internal/storage-events${query}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify({ Records: [record] }),
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  for (const secret of ["", own.reading.apiKey, victim.apiKey, `${EVENTS_SECRET}x`]) {
    const basic = Buffer.from(`x:${secret}`).toString("base64");
    for (const authorization of [`Bearer ${secret}`, `Basic ${basic}`]) {
      const refused = await notify(upload.file_path, { Authorization: authorization });
      expect(refused.status).toBe(401);
      const miss = await notify(ghost.pendingPath, { Authorization: authorization });
      expect(comparable(refused, [])).toEqual(comparable(miss, []));
    }
    expect((await notify(upload.file_path, {}, `?secret=${secret}`)).status).toBe(401);
  }
  expect(await state.read(victim.projectRef)).toEqual(arrived);
  const accepted = await notify(upload.file_path, { Authorization: `Bearer ${EVENTS_SECRET}` });
  expect(accepted).toMatchObject({ status: 200, text: '{"looked_at":1}' });
  expect(await state.read(victim.projectRef)).not.toEqual(arrived);
});
