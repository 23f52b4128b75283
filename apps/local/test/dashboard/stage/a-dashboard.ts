import { randomBytes } from "node:crypto";
import { launchChromium } from "@stowage/chromium";
import type { Role } from "@stowage/schemas/dashboard";
import type { AppRouter } from "@stowage/service/trpc";
import { createTRPCClient, httpLink } from "@trpc/client";
import type { Browser, BrowserContext, Page } from "playwright-core";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject } from "vitest";
import { axeFindings } from "../../fixtures/axe.js";
import { takePicture } from "../../fixtures/take-picture.js";

/** Somebody with a browser of their own. */
export interface Person {
  page: Page;
  context: BrowserContext;
  /** The dashboard's calls, made as this person. */
  calls: Calls;
  /** What the page threw or logged as an error, growing; looked at after each test, so empty it when it was meant. */
  complaints: string[];
}

export type Calls = ReturnType<typeof createTRPCClient<AppRouter>>;

/** Somebody with an account of their own. */
export interface Member extends Person {
  email: string;
}

/** Of everybody whom the stage gives an account. */
export const PASSWORD = "correct horse battery";

/** A project that was made through the dashboard's calls. */
export interface MadeProject {
  ref: string;
  name: string;
  apiKey: string;
}

/**
 * The dashboard in Chromium against the real service, PostgreSQL and storage. Call it at the top of a test file: it starts and
 * ends with the file's tests, and closes each test's browsers after it.
 */
export function aDashboard() {
  const { url, operator } = inject("dashboard");
  let browser: Browser;
  let cookies: Awaited<ReturnType<BrowserContext["cookies"]>>;
  const people: Person[] = [];

  beforeAll(async () => {
    browser = await launchChromium();
    // Once for all tests of the file: how often somebody may sign in is limited.
    const context = await browser.newContext();
    await signIn(context, operator);
    cookies = await context.cookies();
    await context.close();
  });
  // All of them come from one address, and how often it may sign in is limited: each test has the tries of its own.
  beforeEach(async () => {
    const sql = postgres(inject("dashboard").databaseUrl, { max: 1 });
    await sql`delete from operator_rate_limits`;
    await sql.end();
  });
  afterEach(async () => {
    const complaints = people.flatMap((person) => person.complaints);
    for (const { context } of people.splice(0)) await context.close();
    // What a page had asked when its session ended is refused, and the browser has a line for it, early or late.
    expect(complaints.filter((line) => !line.includes("status of 401"))).toEqual([]);
  });
  afterAll(() => browser?.close());

  /** A browser that nobody has signed in with. */
  async function aStranger(): Promise<Person> {
    const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    const person = { page, context, complaints, calls: callsOf(context, url) };
    people.push(person);
    return person;
  }

  /** The operator that `npm start` makes, signed in: an owner of what they make. */
  async function anOwner(): Promise<Person> {
    const person = await aStranger();
    await person.context.addCookies(cookies);
    return person;
  }

  /** Somebody who joined the project as `role`, signed in. */
  async function aMember(owner: Person, project: { ref: string }, role: Role): Promise<Member> {
    const person = await aStranger();
    const email = `p${randomBytes(6).toString("hex")}@example.com`;
    const { url: link } = await owner.calls.members.invite.mutate({ projectRef: project.ref, email, role });
    const token = new URL(link).hash.slice(1);
    await person.calls.members.accept.mutate({ token, name: "Grace Hopper", password: PASSWORD });
    await signIn(person.context, { email, password: PASSWORD });
    return { ...person, email };
  }

  /** Somebody who is signed in and has no project. */
  async function aNewcomer(): Promise<Person> {
    const owner = await anOwner();
    const project = await aProject(owner);
    const newcomer = await aMember(owner, project, "viewer");
    await owner.calls.projects.delete.mutate({ projectRef: project.ref, name: project.name });
    return newcomer;
  }

  /** A project that `owner` makes and owns. */
  async function aProject(owner: Person, settings: object = {}): Promise<MadeProject> {
    const name = `Test ${randomBytes(4).toString("hex")}`;
    return owner.calls.projects.create.mutate({ name, ...settings });
  }

  return { url, aStranger, anOwner, aNewcomer, aMember, aProject, signIn };

  async function signIn(context: BrowserContext, who: { email: string; password: string }): Promise<void> {
    const answer = await context.request.post(`${url}/auth/sign-in/email`, {
      data: { email: who.email, password: who.password },
      headers: { Origin: url },
    });
    if (!answer.ok()) throw new Error(`sign-in was refused: ${await answer.text()}`);
  }
}

/** The dashboard's calls with the browser's cookies, as its pages make them. */
function callsOf(context: BrowserContext, url: string): Calls {
  return createTRPCClient<AppRouter>({
    links: [
      httpLink({
        url: `${url}/trpc`,
        fetch: async (to, init) => {
          const { cookies } = await context.storageState();
          return fetch(to, {
            ...(init as RequestInit),
            headers: {
              ...(init?.headers as Record<string, string>),
              Origin: url,
              Cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; "),
            },
            signal: AbortSignal.timeout(15_000),
          });
        },
      }),
    ],
  });
}

/** The widths at which each page is looked at. */
const widths = { wide: 1280, phone: 390 } as const;

/**
 * Looks at a page as it stands: axe at both widths, in the dark for what colours can change; nothing that reaches out sideways;
 * and a picture of each.
 *
 * @param name of the pictures, such as `members-invite-dialog`
 */
export async function expectGood(page: Page, name: string): Promise<void> {
  for (const [size, width] of Object.entries(widths)) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.evaluate(comeToRest);
      await takePicture(page, `${name}-${size}-${colorScheme}`);
      const findings = await axeFindings(page, colorScheme === "light" ? "all" : "colours");
      expect(findings, `${name}, ${size}, ${colorScheme}`).toEqual([]);
    }
    const overhang = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overhang, `${name}, ${size}: reaches out sideways`).toBe(0);
  }
  await page.setViewportSize({ width: widths.wide, height: 800 });
  await page.emulateMedia({ colorScheme: "light" });
}

/** In the page: lets it take note of another width or scheme, and ends what moves; a colour on its way would be caught in between. */
async function comeToRest(): Promise<void> {
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  await nextFrame();
  await nextFrame();
  for (const animation of document.getAnimations())
    if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
}
