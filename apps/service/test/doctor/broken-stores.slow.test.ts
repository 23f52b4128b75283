import { describe, expect, test } from "vitest";
import { examine, lineOf } from "../fixtures/a-broken-store.js";
import { brokenStores, ORIGIN } from "../fixtures/broken-stores.js";

describe("the doctor", () => {
  test.concurrent.each(Object.entries(brokenStores))(
    "finds that %s",
    async (_name, { doctor, ...behaviour }) => {
      const sound = (await soundStore).map(lineOf).filter((line) => doctor.test(line));
      expect(sound, "a store that does nothing of this has no such line").toEqual([]);
      const findings = await examine(behaviour, ORIGIN, (finding) => doctor.test(lineOf(finding)));
      expect(findings.map(lineOf).join("\n")).toMatch(doctor);
    },
  );

  test("says nothing against a store behind a proxy that changes nothing", async () => {
    const findings = await soundStore;
    // Ceph 16 accepts two unsigned headers.
    const troubles = findings.filter(
      ({ name, verdict }) => !["ok", "info"].includes(verdict) && !name.startsWith("Unsigned x-amz-"),
    );
    expect(troubles.map(lineOf)).toEqual([]);
  });

  test.each([
    "every PUT is refused",
    "a PUT is answered, and nothing is stored",
    "a proxy answers each request with a page",
  ])("calls nothing ok that needs an upload if %s", async (name) => {
    const findings = await examine(brokenStores[name]!, ORIGIN);
    const withoutUpload = ["Bucket reachable", "Clock", "Listing of uploads", "Credential lifetime"];
    const good = findings.filter(
      (finding) => finding.verdict === "ok" && !withoutUpload.includes(finding.name),
    );
    expect(good.map(lineOf)).toEqual([]);
  });
});

const soundStore = new Promise<Awaited<ReturnType<typeof examine>>>((resolve, reject) =>
  setImmediate(() => examine({}, ORIGIN).then(resolve, reject)),
);
