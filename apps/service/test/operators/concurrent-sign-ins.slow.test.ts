import { afterAll, beforeAll, expect, test } from "vitest";
import { anOperator, PASSWORD, type Person } from "../fixtures/a-person.js";
import { aService, type RunningService } from "../fixtures/a-service.js";

let service: RunningService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service.close());

interface Session {
  isCurrent: boolean;
  ipAddress: string;
  userAgent: string;
}

/** Signs in from an address and a browser of its own, and returns what the session and the audit entry say about them. */
async function signInFrom(person: Person, index: number): Promise<object> {
  const client = { "X-Forwarded-For": `10.20.30.${index}`, "User-Agent": `browser ${index}` };
  const answer = await person.auth("sign-in/email", { email: person.email, password: PASSWORD }, client);
  expect(answer.status).toBe(200);
  const { data: sessions } = await person.query<Session[]>("session.list");
  const { data: activity } = await person.query<{ lines: Omit<Session, "isCurrent">[] }>(
    "session.activity",
    {},
  );
  const from = ({ ipAddress, userAgent }: Omit<Session, "isCurrent">) => ({ ipAddress, userAgent });
  return { session: from(sessions.find(({ isCurrent }) => isCurrent)!), audited: from(activity.lines[0]!) };
}

test("operators who sign in at the same time get their own address and browser in session and audit log", async () => {
  const people = await Promise.all(Array.from({ length: 12 }, () => anOperator(service.url)));
  const seen = await Promise.all(people.map(signInFrom));
  const own = (index: number) => ({ ipAddress: `10.20.30.${index}`, userAgent: `browser ${index}` });
  expect(seen).toEqual(people.map((_, index) => ({ session: own(index), audited: own(index) })));
});
