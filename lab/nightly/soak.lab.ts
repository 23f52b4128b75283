import { expect, test } from "vitest";
import type { SoakedSystem } from "../soak/a-soaked-system.js";
import type { LoadState } from "../soak/load-state.js";
import { renderReport, type SoakReport } from "../soak/report.js";
import { soak } from "../soak/soak.js";

const SEED = Number(process.env["SEED"] || Date.now() % 1_000_000);

const failedOf = ({ checks }: SoakReport) => checks.filter(({ count }) => count > 0).map(({ name }) => name);

test("a soak of one minute finds nothing", async () => {
  const report = await soak({ minutes: 1, seed: SEED });
  console.log(renderReport(report));
  expect(failedOf(report)).toEqual([]);
});

test("a soak finds a counter that is off by one, a lost file, a deleted file that is back, a false event, a lost one, a wrong count of a link and a wrong verdict", async () => {
  const damage = async ({ sql, receiver }: SoakedSystem, state: LoadState) => {
    await sql`update tenants set used_bytes = used_bytes + 1 where (project_id, id) in (select project_id, id from tenants limit 1)`;
    await sql`
      delete from files where path in (select path from files where status = 'stored' and expires_at is null limit 1)`;
    const event = { path: "projects/none", type: "file.stored", size: 1, isAccepted: true };
    receiver.arrivals.set("evt_none", event);
    await sql`update share_links set max_downloads = null, downloads = downloads + 1`;
    await sql`
      update files set scan_status = 'infected' where path in (select path from files where status = 'stored' and scan_status = 'clean' limit 1)`;
    state.followers[0]!.ids.splice(5, 1);
    const gone = [...state.files.values()].find(({ states }) => states.size === 1 && states.has("gone"))!;
    await sql`
      insert into files (project_id, tenant, path, filename, content_type, status, url_expires_at, created_at)
      select project_id, id, ${gone.path}, 'a.txt', 'text/plain', 'expired', now(), now() from tenants limit 1`;
  };
  const report = await soak({ minutes: 0.5, seed: SEED, planted: { damage } });
  const failed = failedOf(report);
  expect(failed).toContain("every counter is exact");
  expect(failed).toContain("nothing acknowledged is lost, and nothing deleted is back");
  expect(failed).toContain("storage has exactly the objects of the files");
  expect(failed).toContain("stowage reconcile finds no drift");
  expect(failed).toContain("every event arrived, in order, and none is false");
  expect(failed).toContain("the log of events was followed without a gap, twice or another order");
  expect(failed).toContain("every link was used as often as it says");
  expect(failed).toContain(
    "every file is scanned, with the right verdict, and every picture has its variant",
  );
});

test("a soak finds replicas that retain 160 kB each second", async () => {
  const report = await soak({ minutes: 2.5, seed: SEED, planted: { leakBytes: 16_000 } });
  expect(report.trends.find(({ title }) => title.startsWith("heap"))).toMatchObject({
    trend: { isFlat: false },
  });
  expect(failedOf(report)).toContain("memory, descriptors, connections and queues are flat");
});
