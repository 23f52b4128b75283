import { type PageCall, pageCalls, type Subject } from "./page-calls.js";
import type { RunningService } from "./start-service.js";
import type { DashboardClient } from "./sign-in.js";

export interface Measured extends PageCall {
  /** For a list: the first page, or a page far from it. */
  where: "first page" | "deep page" | null;
  /** The service's time in milliseconds. */
  fastestMs: number;
  medianMs: number;
  slowestMs: number;
}

/** Measures the first calls of each dashboard page, one after the other. The service uses a seeded database. */
export async function measurePages(
  service: RunningService,
  client: DashboardClient,
  { repeats, deepPages }: { repeats: number; deepPages: number },
): Promise<Measured[]> {
  const subject = await findSubject(client);
  const measured: Measured[] = [];
  for (const call of pageCalls(subject)) {
    const input = { projectRef: subject.projectRef, ...call.input };
    const measure = async (where: Measured["where"], input: object) =>
      measured.push({ ...call, where, ...(await timesOf(service, client, { ...call, input, repeats })) });
    await measure(call.isList ? "first page" : null, input);
    if (call.isList) await measure("deep page", await findDeepInput(client, call, input, deepPages));
  }
  return measured;
}

async function timesOf(
  service: RunningService,
  client: DashboardClient,
  { procedure, input, repeats }: { procedure: string; input: object; repeats: number },
): Promise<Pick<Measured, "fastestMs" | "medianMs" | "slowestMs">> {
  const times: number[] = [];
  for (let i = 0; i < repeats; i++) {
    const [ms] = await Promise.all([service.nextRequestMs(), client.query(procedure, input)]);
    times.push(ms);
  }
  times.sort((one, other) => one - other);
  return { fastestMs: times[0]!, medianMs: times[Math.floor(times.length / 2)]!, slowestMs: times.at(-1)! };
}

/** Returns the input for the page that follows `pages` full pages, or for the last page if the list is shorter. */
async function findDeepInput(
  client: DashboardClient,
  call: PageCall,
  input: object,
  pages: number,
): Promise<object> {
  let cursor: string | null = null;
  for (let i = 0; i < pages; i++) {
    const asked: object = { ...input, limit: 100, ...(cursor === null ? {} : { cursor }) };
    const page = await client.query<{ nextCursor: string | null }>(call.procedure, asked);
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  return { ...input, ...(cursor === null ? {} : { cursor }) };
}

/** Finds the seeded project that has half of all tenants and files. @throws {Error} if the database was not seeded */
async function findSubject(client: DashboardClient): Promise<Subject> {
  const { projects } = await client.query<{ projects: { ref: string }[] }>("projects.list", {
    q: "Everything",
  });
  const projectRef = projects.at(-1)?.ref;
  if (projectRef === undefined) throw new Error("This database was not seeded.");
  const { tenants } = await client.query<{ tenants: { tenantId: string }[] }>("tenants.list", {
    projectRef,
    sort: "used_bytes",
  });
  const { files } = await client.query<{ files: { id: number }[] }>("files.list", { projectRef });
  return { projectRef, tenantId: tenants[0]!.tenantId, fileId: files[0]!.id };
}
