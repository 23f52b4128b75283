import { expect, test } from "vitest";
import { deleteExpired } from "#auth/delete-expired.js";
import { anOperator, anOwnedProject } from "../fixtures/a-person.js";
import { aService } from "../fixtures/a-service.js";
import { aDatabase } from "../fixtures/a-database.js";
import { openDatabase } from "#db/client.js";

test("deletes refused sign-ins after 90 days, and keeps every other audit entry", async () => {
  const database = await aDatabase();
  const service = await aService({ DATABASE_URL: database.url });
  const person = await anOperator(service.url, { databaseUrl: database.url });
  await person.signIn("wrong");
  const db = openDatabase({ url: database.url, poolSize: 1, timeoutMs: 60_000 });
  const actions = async () =>
    (await db.execute<{ action: string }>("select action from audit_log order by id", [])).map(
      (line) => line.action,
    );
  const days = (n: number) => () => new Date(Date.now() + n * 24 * 3600 * 1000);
  await deleteExpired({ db, clock: days(89) });
  expect(await actions()).toEqual(["operator.signed_in", "operator.sign_in_refused"]);
  await deleteExpired({ db, clock: days(91) });
  expect(await actions()).toEqual(["operator.signed_in"]);
  await db.close();
  await service.close();
  await database.drop();
});

test("deletes expired sessions and invitations, and keeps the others", async () => {
  const database = await aDatabase();
  const service = await aService({ DATABASE_URL: database.url });
  const person = await anOperator(service.url, { databaseUrl: database.url });
  const { projectRef } = await anOwnedProject(person);
  await person.mutate("members.invite", { projectRef, email: "a@example.com", role: "viewer" });
  const db = openDatabase({ url: database.url, poolSize: 1, timeoutMs: 60_000 });
  const count = async () => {
    const [row] = await db.execute<{ sessions: number; invitations: number }>(
      `select (select count(*)::int from operator_sessions) as sessions, (select count(*)::int from invitations) as invitations`,
      [],
    );
    return row;
  };
  await deleteExpired({ db, clock: () => new Date() });
  expect(await count()).toEqual({ sessions: 1, invitations: 1 });
  const inEightDays = new Date(Date.now() + 8 * 24 * 3600 * 1000);
  await deleteExpired({ db, clock: () => inEightDays });
  expect(await count()).toEqual({ sessions: 0, invitations: 0 });
  expect((await person.query("session.me")).status).toBe(401);
  await db.close();
  await service.close();
  await database.drop();
});
