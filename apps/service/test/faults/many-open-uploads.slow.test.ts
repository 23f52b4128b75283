import { afterAll, beforeAll, expect, test } from "vitest";
import { commandLineActor } from "#audit/caller.js";
import { signParts } from "#files/parts/sign-parts.js";
import { openUpload } from "#files/upload/open-upload.js";
import { forEachBounded } from "#lib/for-each-bounded.js";
import { MINUTE_MS } from "#lib/time.js";
import { deleteTenant } from "#purge/delete-tenant.js";
import { aWorld, type World } from "../fixtures/a-world.js";

const BY_PARTS = 100;
/** One call removes 1,000 files. */
const OPEN = 1100;

let world: World;
beforeAll(async () => {
  world = await aWorld();
});
afterAll(() => world.close());

test("each deletion of a tenant with many open uploads says exactly how many are left, and leaves none in storage", async () => {
  const project = await world.project();
  const times = (count: number) => Array.from({ length: count }, (_, index) => index);
  await forEachBounded(times(OPEN), 100, async () => void (await world.upload(project, {})));
  await forEachBounded(times(BY_PARTS), 16, async (index) => {
    const input = { tenantId: "t", filename: `${index}.bin`, size: 6 * 1024 ** 2 };
    const { filePath } = await openUpload(world.deps, project, input);
    // This creates the multipart upload in storage.
    await signParts(world.deps, project, { filePath, parts: [{ number: 1 }] });
  });
  const inStorage = async () =>
    (await world.deps.store.listMultiparts(`projects/${project.ref}/`, null)).uploads.length;
  const inDatabase = async () =>
    (await world.rows("select from files where project_id = $1", [project.id])).length;
  expect([await inDatabase(), await inStorage()]).toEqual([OPEN + BY_PARTS, BY_PARTS]);

  // A call whose time is over as soon as it begins to remove.
  let reads = 0;
  const late = () => new Date(world.deps.clock().getTime() + MINUTE_MS * reads++);
  const first = await deleteTenant({ ...world.deps, clock: late }, project, "t", commandLineActor);
  expect(first.remainingFiles).toBe(OPEN + BY_PARTS);

  for (let calls = 0, left = OPEN + BY_PARTS; left > 0; calls++) {
    expect(calls).toBeLessThan(20);
    const { remainingFiles } = await deleteTenant(world.deps, project, "t", commandLineActor);
    expect(remainingFiles).toBeLessThan(left);
    expect(remainingFiles).toBe(await inDatabase());
    left = remainingFiles;
  }
  expect(await inStorage()).toBe(0);
});
