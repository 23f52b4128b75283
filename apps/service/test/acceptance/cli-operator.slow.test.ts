import postgres from "postgres";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { aDatabase } from "../fixtures/a-database.js";
import { json, stowage } from "../fixtures/command-line.js";

let sql: postgres.Sql;
beforeAll(() => {
  sql = postgres(inject("servers").DATABASE_URL, { max: 1, onnotice: () => undefined });
});
afterAll(() => sql.end());

test("stowage operator list prints the operators", async () => {
  const email = `cli-${Date.now()}@example.com`;
  await sql`insert into operators (id, name, email, created_at, updated_at)
    values (${email}, 'Somebody', ${email}, now(), now())`;
  expect(await json("operator", "list")).toContainEqual({
    email,
    name: "Somebody",
    is_admin: false,
    has_project_grant: false,
    two_factor_enabled: false,
    created_at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
  });
  expect((await stowage(["operator", "list"])).stdout).toMatch(
    new RegExp(
      `^E-MAIL +ADMIN +CREATE-PROJECTS +TWO-FACTOR +NAME\n[^]*${email} +no +off +off +Somebody\n`,
      "m",
    ),
  );
});

test("stowage operator set grants and withdraws the right to create projects, with audit entries", async () => {
  const email = `grant-${Date.now()}@example.com`;
  await sql`insert into operators (id, name, email, created_at, updated_at)
    values (${email}, 'Somebody', ${email}, now(), now())`;
  const set = (value: string) => json("operator", "set", email.toUpperCase(), "--create-projects", value);
  expect(await set("on")).toEqual({ email, has_project_grant: true });
  expect(await set("on")).toEqual({ email, has_project_grant: true });
  expect(await json("operator", "list")).toContainEqual(
    expect.objectContaining({ email, has_project_grant: true }),
  );
  expect(await set("off")).toEqual({ email, has_project_grant: false });
  expect(
    await sql`select action, user_agent from audit_log where operator_id = ${email} order by id`,
  ).toEqual([
    { action: "operator.project_creation_granted", user_agent: "the command line" },
    { action: "operator.project_creation_withdrawn", user_agent: "the command line" },
  ]);
  expect(await stowage(["operator", "set", "nobody@example.com", "--create-projects", "on"])).toMatchObject({
    code: 1,
    stderr: "No operator has this e-mail address\n",
  });
  expect(await stowage(["operator", "set", email])).toMatchObject({ code: 1 });
});

test("stowage operator resets a password, removes a second factor and ends sessions", async () => {
  const email = `reset-${Date.now()}@example.com`;
  await sql`insert into operators (id, name, email, two_factor_enabled, created_at, updated_at)
    values (${email}, 'Somebody', ${email}, true, now(), now())`;
  const settings = { DASHBOARD_URL: "https://storage.example", PORT: "4711" };
  const { stdout } = await stowage(["operator", "reset-password", email.toUpperCase()], settings);
  expect(stdout).toMatch(
    new RegExp(
      `^Password reset for ${email}, valid once within 24 hours: https://storage\\.example/reset#[\\w-]{43}\\n$`,
    ),
  );
  expect(await json("operator", "reset-password", email)).toEqual({
    email,
    url: expect.stringMatching(/^http:\/\/localhost:4000\/reset#/) as string,
    expires_at: expect.stringMatching(/Z$/) as string,
  });
  expect(await sql`select * from password_resets where operator_id = ${email}`).toHaveLength(1);

  expect(await json("operator", "remove-two-factor", email)).toEqual({ email });
  expect(await sql`select two_factor_enabled from operators where id = ${email}`).toEqual([
    { two_factor_enabled: false },
  ]);
  await sql`insert into operator_sessions (id, token, operator_id, expires_at, created_at, updated_at)
    values (${email}, ${email}, ${email}, now() + interval '1 day', now(), now())`;
  expect((await stowage(["operator", "end-sessions", email])).stdout).toBe(`Ended 1 session of ${email}.\n`);
  expect(await json("operator", "end-sessions", email)).toEqual({ email, count: 0 });
  for (const command of ["reset-password", "remove-two-factor", "end-sessions"]) {
    expect(await stowage(["operator", command, "nobody@example.com"])).toEqual({
      code: 1,
      stdout: "",
      stderr: "No operator has this e-mail address\n",
    });
  }
});

test("stowage operator end-sessions --all signs every operator out", async () => {
  const database = await aDatabase();
  const own = postgres(database.url, { max: 1, onnotice: () => undefined });
  try {
    for (const id of ["a", "b"]) {
      await own`insert into operators (id, name, email, created_at, updated_at)
        values (${id}, 'Somebody', ${`${id}@example.com`}, now(), now())`;
      for (const token of [`${id}1`, `${id}2`])
        await own`insert into operator_sessions (id, token, operator_id, expires_at, created_at, updated_at)
          values (${token}, ${token}, ${id}, now() + interval '1 day', now(), now())`;
    }
    const ended = await stowage(["operator", "end-sessions", "--all"], { DATABASE_URL: database.url });
    expect(ended).toEqual({ code: 0, stdout: "Ended 4 sessions of all operators.\n", stderr: "" });
    expect(await own`select id from operator_sessions`).toHaveLength(0);
    const entries = await own`select action from audit_log where action = 'operator.sessions_ended'`;
    expect(entries).toHaveLength(2);
  } finally {
    await own.end();
    await database.drop();
  }
});
