import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AdmissionRequest } from "#files/upload/admit-uploads.js";
import { createBatchedAdmit } from "#files/upload/admit-uploads.js";
import { admitUploads } from "#files/upload/admit-uploads.js";
import { randomRef } from "#lib/random.js";
import { effectiveQuota } from "#tenants/tenant-record.js";
import { aWorld, type World } from "../fixtures/a-world.js";
import { histories } from "../fixtures/histories.js";

let world: World;
beforeAll(async () => {
  world = await aWorld();
});
afterAll(() => world.close());

type AdmissionFields = Partial<AdmissionRequest> & { target: AdmissionRequest["target"] };

function anAdmission(fields: AdmissionFields): AdmissionRequest {
  const now = world.deps.clock();
  return {
    tenantId: "t",
    newTenantRef: randomRef(world.deps.randomBytes),
    objectName: `${randomRef(world.deps.randomBytes)}_a.txt`,
    filename: "a.txt",
    contentType: "text/plain",
    sizeBytes: 1,
    metadata: {},
    now,
    urlExpiresAt: new Date(now.getTime() + 3_600_000),
    nextCheckAt: new Date(now.getTime() + 3_600_000),
    defaultQuotaBytes: null,
    defaultLimits: {},
    ...fields,
  };
}

test("uploads that arrive together are admitted by the rules of their project and tenant", async () => {
  const [open, strict] = await Promise.all([
    world.project(),
    world.project({ defaultQuotaBytes: 10, maxFileBytes: 8, requireSize: true }),
  ]);
  const verdicts = await Promise.all(
    [
      { target: open, tenantId: "a" },
      { target: strict, tenantId: "a", sizeBytes: 7 },
      { target: { projectId: strict.id, apiKeyHash: "no such key" } },
      { target: strict, tenantId: "a", sizeBytes: 9 },
      { target: strict, tenantId: "a", sizeBytes: null },
      { target: strict, tenantId: "a", sizeBytes: 4 },
      { target: strict, tenantId: "a", sizeBytes: 3 },
      { target: open, tenantId: "a", sizeBytes: null },
      { target: strict, tenantId: "b", sizeBytes: 8 },
    ].map((fields) => world.deps.admit(anAdmission(fields))),
  );
  expect(verdicts.map(({ outcome }) => outcome)).toEqual([
    "admitted",
    "admitted",
    "unknown_project",
    "file_too_large",
    "size_required",
    "quota_exceeded",
    // These 3 bytes fit next to the 7. The 4 before them were refused, so they are not in the way.
    "admitted",
    "admitted",
    "admitted",
  ]);
  const isNew = verdicts.flatMap((verdict) => (verdict.outcome === "admitted" ? [verdict.isNewTenant] : []));
  expect(isNew.filter(Boolean)).toHaveLength(3);
  expect(await world.tenant(open, "a")).toMatchObject({ reserved: 1 });
  expect(await world.tenant(strict, "a")).toMatchObject({ reserved: 10 });
});

test("the quota of a project holds for its uploads beside one with a wrong key", async () => {
  const project = await world.project({ defaultQuotaBytes: 10 });
  const wrong = { projectId: project.id, apiKeyHash: "no such key" };
  const admit = (sizeBytes: number) =>
    Promise.all([wrong, project].map((target) => world.deps.admit(anAdmission({ target, sizeBytes }))));
  expect(await admit(7)).toMatchObject([{ outcome: "unknown_project" }, { outcome: "admitted" }]);
  expect(await admit(4)).toMatchObject([{ outcome: "unknown_project" }, { outcome: "quota_exceeded" }]);
});

test("a tenant whose first upload is refused is not created", async () => {
  const project = await world.project({ defaultQuotaBytes: 10 });
  const admit = () => admitUploads(world.deps.db, [anAdmission({ target: project, sizeBytes: 11 })]);
  expect(await admit()).toEqual([{ outcome: "quota_exceeded" }]);
  expect(await world.tenant(project)).toBeUndefined();
});

test("an upload that PostgreSQL refuses does not make the other uploads of its batch fail", async () => {
  const project = await world.project();
  const admit = createBatchedAdmit(world.deps.db);
  const results = await Promise.allSettled(
    ["good", "bad", "good too", "fine"].map((note) =>
      admit(anAdmission({ target: project, metadata: { note: note === "bad" ? "\0" : note } })),
    ),
  );
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
  expect(await world.tenant(project)).toMatchObject({ reserved: 3 });
});

test("replicas that admit uploads of the same new tenants in different orders do not deadlock", async () => {
  const project = await world.project();
  const tenants = Array.from({ length: 30 }, (_, number) => `tenant ${number}`);
  for (let round = 0; round < 5; round++) {
    const replicas = Array.from({ length: 4 }, () => createBatchedAdmit(world.deps.db));
    const results = await Promise.all(
      replicas.flatMap((admit, replica) => {
        const order = replica % 2 === 0 ? tenants : tenants.toReversed();
        return order.map((name) => admit(anAdmission({ target: project, tenantId: `${round} ${name}` })));
      }),
    );
    expect(results.filter((result) => result.outcome === "admitted" && result.isNewTenant)).toHaveLength(30);
    expect(results.every(({ outcome }) => outcome === "admitted")).toBe(true);
  }
});

test.each([
  { size: 1, taken: 9, quota: 10, fits: true },
  { size: 2, taken: 9, quota: 10, fits: false },
  { size: 0, taken: 10, quota: 10, fits: true },
  { size: 0, taken: 11, quota: 10, fits: false },
  { size: null, taken: 9, quota: 10, fits: true },
  { size: null, taken: 10, quota: 10, fits: false },
  { size: 1, taken: 0, quota: 0, fits: false },
  { size: 1, taken: 9, quota: null, fits: true },
])("the quota rule: $size bytes beside $taken of $quota", async ({ fits, ...input }) => {
  const ask = `select fits_quota(size, taken, quota) as fits
    from json_to_record($1::text::json) as c (size bigint, taken bigint, quota bigint)`;
  expect(await world.rows(ask, [JSON.stringify(input)])).toEqual([{ fits }]);
});

test("the API shows the quota that the database applies: the tenant's, else the project's, else the service's", async () => {
  const values = [null, 0, 5];
  const cases = values.flatMap((tenant) =>
    values.flatMap((project) => values.map((service) => ({ tenant, project, service }))),
  );
  const rows = await world.rows<{ quota: number | null }>(
    `select quota_of(tenant, project, service) as quota
     from json_to_recordset($1::text::json) as c (tenant bigint, project bigint, service bigint)`,
    [JSON.stringify(cases)],
  );
  expect(rows.map(({ quota }) => quota)).toEqual(
    cases.map((each) => effectiveQuota({ ...each, plan: null }).quotaBytes),
  );
});

test("random histories of simultaneous uploads fill a quota as far as possible and never exceed it", async () => {
  const sizes = fc.array(fc.option(fc.integer({ min: 0, max: 60 }), { freq: 4 }), {
    minLength: 1,
    maxLength: 40,
  });
  await fc.assert(
    fc.asyncProperty(sizes, fc.integer({ min: 0, max: 200 }), async (sizes, quota) => {
      const project = await world.project({ defaultQuotaBytes: quota });
      const [one, other] = [1, 2].map(() => createBatchedAdmit(world.deps.db));
      const results = await Promise.all(
        sizes.map((sizeBytes, at) =>
          (at % 3 === 0 ? one! : other!)(anAdmission({ target: project, sizeBytes })),
        ),
      );
      const admitted = sizes.filter((_, at) => results[at]!.outcome === "admitted");
      const reserved = admitted.reduce<number>((sum, size) => sum + (size ?? 0), 0);
      expect(reserved).toBeLessThanOrEqual(quota);
      expect((await world.tenant(project))?.reserved ?? 0).toBe(reserved);
      // No refused upload would have fitted.
      const refused = sizes.filter((_, at) => results[at]!.outcome === "quota_exceeded");
      expect(refused.every((size) => reserved + (size ?? 1) > quota)).toBe(true);
      expect(admitted.length + refused.length).toBe(sizes.length);
    }),
    histories(60),
  );
});
