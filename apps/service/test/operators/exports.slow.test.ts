import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aMember, anOperator, anOwnedProject, aPerson, type Person } from "../fixtures/a-person.js";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { aStoredFile } from "../fixtures/a-stored-file.js";
import { anUpload } from "../fixtures/call.js";
import { queryDatabase } from "../fixtures/direct-access.js";

const MANY = 200_000;

let service: RunningService;
let owner: Person;
beforeAll(async () => {
  service = await aService();
  owner = await anOperator(service.url);
});
afterAll(() => service.close());

/** Follows a link of the dashboard, as a browser does. */
function open(person: Person, path: string, headers: Record<string, string> = {}, signal?: AbortSignal) {
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return fetch(`${service.url}/dashboard/export/${path}`, {
    headers: { Cookie: cookie, "Sec-Fetch-Site": "same-origin", ...headers },
    signal: AbortSignal.any([AbortSignal.timeout(60_000), ...(signal ? [signal] : [])]),
  });
}
async function linesOf(person: Person, path: string): Promise<string[]> {
  const answer = await open(person, path);
  expect(answer.status).toBe(200);
  return (await answer.text()).trimEnd().split("\r\n");
}
const refusalOf = async (answer: Response) => {
  const { code } = (await answer.json()) as { code: string };
  return `${answer.status} ${code}`;
};

describe("an export", () => {
  test("of files contains the list's files, with its filters and order", async () => {
    const { projectRef, apiKey } = await anOwnedProject(owner);
    const stored = await aStoredFile(service.url, apiKey, { filename: '=1+1,".png', tenant_id: "-t" });
    await anUpload(service.url, apiKey, { tenant_id: "u", filename: "b.txt", size: 7 });
    const answer = await open(owner, `files.csv?projectRef=${projectRef}&sort=filename&order=asc`);
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
    expect(answer.headers.get("content-disposition")).toMatch(
      /^attachment; filename="stowage-files-\d{4}-\d\d-\d\d\.csv"$/,
    );
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const [head, first, second, ...others] = (await answer.text()).split("\r\n");
    expect(head).toBe(
      "id,filename,path,tenant_id,status,content_type,declared_size_bytes,size_bytes,created_at,stored_at,part_size_bytes,part_count,parts_stored,part_bytes_stored,upload_expires_at,expires_at,purge_at,hold,scan_status",
    );
    expect(first).toContain(
      `,"'=1+1,"".png",${stored.file_path},'-t,stored,image/png,,5,${stored.created_at},${stored.stored_at},,,,,,,,false,none`,
    );
    expect(second).toMatch(/,b\.txt,.*,u,pending,text\/plain,7,,\d{4}-.*Z,,,,,,\d{4}-.*Z,,,false,none$/);
    expect(others).toEqual([""]);
    const filtered = (query: string) => linesOf(owner, `files.csv?projectRef=${projectRef}&${query}`);
    expect(await filtered("states=uploading,unfinished")).toHaveLength(2);
    expect(await filtered("kind=image&q=PNG&tenantId=-t")).toHaveLength(2);
    expect(await filtered("to=2020-01-01")).toHaveLength(1);
  });

  test("of tenants, projects and the audit log contains what their lists show", async () => {
    const person = await anOperator(service.url);
    const { projectRef, name, apiKey } = await anOwnedProject(person);
    await aStoredFile(service.url, apiKey, { tenant_id: "one" });
    await aStoredFile(service.url, apiKey, { tenant_id: "two", bytes: "longer" });
    const tenants = await linesOf(person, `tenants.csv?projectRef=${projectRef}&sort=used_bytes`);
    expect(tenants.map((line) => line.split(",").slice(0, 4))).toEqual([
      ["tenant_id", "used_bytes", "reserved_bytes", "file_count"],
      ["two", "6", "0", "1"],
      ["one", "5", "0", "1"],
    ]);
    const projects = await linesOf(person, "projects.csv");
    expect(projects).toEqual([expect.any(String), expect.stringContaining(`${projectRef},${name},owner,`)]);
    const audit = await linesOf(person, `audit.csv?projectRef=${projectRef}`);
    expect(audit[1]).toContain(`project.created,${person.email},"{""name"":""${name}""}"`);
    expect([...tenants, ...projects, ...audit].join("")).not.toContain(apiKey.slice(16, 40));
  });

  test("needs the role of the list and a request from the dashboard's page", async () => {
    const { projectRef } = await anOwnedProject(owner);
    const viewer = await aMember(service.url, projectRef, "viewer");
    const member = await aMember(service.url, projectRef, "member");
    const stranger = await anOperator(service.url);
    const of = `projectRef=${projectRef}`;
    for (const path of [`files.csv?${of}`, `tenants.csv?${of}`, `audit.csv?${of}`, "projects.csv"])
      expect(await refusalOf(await open(aPerson(service.url), path))).toBe("401 signed_out");
    for (const path of [`files.csv?${of}`, `tenants.csv?${of}`]) {
      expect((await open(viewer, path)).status).toBe(200);
      expect(await refusalOf(await open(stranger, path))).toBe("404 not_found");
      expect(await refusalOf(await open(viewer, path, { "Sec-Fetch-Site": "cross-site" }))).toBe(
        "403 cross_site",
      );
      expect(await refusalOf(await open(viewer, path, { "Sec-Fetch-Site": "same-site" }))).toBe(
        "403 cross_site",
      );
      expect((await open(viewer, path, { "Sec-Fetch-Site": "none" })).status).toBe(200);
    }
    for (const person of [viewer, member])
      expect(await refusalOf(await open(person, `audit.csv?${of}`))).toBe("403 role_too_low");
    expect(await refusalOf(await open(stranger, `audit.csv?${of}`))).toBe("404 not_found");
    expect((await open(owner, `audit.csv?${of}`)).status).toBe(200);
  });

  test.each([
    "files.csv",
    "files.csv?projectRef=x&projectRef=y",
    "files.csv?projectRef=x&states=gone",
    "files.csv?projectRef=x&from=1",
    "files.csv?projectRef=x&to=9999-12-31",
  ])("is refused with a message for %s", async (path) => {
    expect(await refusalOf(await open(owner, path))).toBe("400 invalid_request");
  });
});

describe(`an export of ${MANY} files`, () => {
  let projectRef: string;
  beforeAll(async () => {
    ({ projectRef } = await anOwnedProject(owner));
    await queryDatabase(
      `with t as (insert into tenants (project_id, tenant_id, ref, created_at)
                  select id, 't', 'r', now() from projects where ref = $1 returning project_id, id)
       insert into files (project_id, tenant, path, filename, content_type, size, status, url_expires_at, created_at)
       select project_id, id, 'projects/' || $1 || '/' || i, 'file ' || i, 'text/plain', i % 10, 'stored', now(), now() from t, generate_series(1, ${MANY}) i`,
      [projectRef],
    );
    // Without statistics PostgreSQL plans a page for a nearly empty table, and on a busy machine the page can exceed its time limit.
    await queryDatabase("analyze files", []);
  });

  test("contains each file once, in order, and keeps few rows in memory", async () => {
    const answer = await open(owner, `files.csv?projectRef=${projectRef}&order=asc`);
    const before = process.memoryUsage().arrayBuffers + process.memoryUsage().external;
    let most = 0;
    let rest = "";
    let expected = 0;
    const reader = answer.body!.pipeThrough(new TextDecoderStream());
    for await (const chunk of reader) {
      const lines = (rest + chunk).split("\r\n");
      rest = lines.pop()!;
      for (const line of lines) {
        if (expected > 0 && !line.includes(`,file ${expected},`))
          throw new Error(`${line} is not ${expected}`);
        expected++;
      }
      const { arrayBuffers, external } = process.memoryUsage();
      most = Math.max(most, arrayBuffers + external - before);
    }
    expect(expected - 1).toBe(MANY);
    expect(most).toBeLessThan(64 * 1024 ** 2);
  });

  test("ends when its reader disconnects, and then allows another export", async () => {
    const path = `files.csv?projectRef=${projectRef}`;
    const leaving = new AbortController();
    const answers = await Promise.all([1, 2, 3].map(() => open(owner, path, {}, leaving.signal)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const fourth = await open(owner, path);
    expect(fourth.headers.get("retry-after")).toBe("10");
    expect(await refusalOf(fourth)).toBe("429 too_many_requests");
    leaving.abort();
    await expect
      .poll(async () => {
        const again = await open(owner, path);
        await again.body?.cancel();
        return again.status;
      })
      .toBe(200);
  });
});
