import { expect, test } from "vitest";
import { aBrokenStore, answerOf } from "../fixtures/a-broken-store.js";
import { ORIGIN } from "../fixtures/broken-stores.js";
import { stowage } from "../fixtures/command-line.js";

const aStoreThatRefuses = (status: number, code: string) =>
  aBrokenStore(
    {
      instead: ({ query }) =>
        query.has("cors") ? answerOf(status, `<Error><Code>${code}</Code></Error>`) : null,
    },
    ORIGIN,
  );

test.each([
  [501, "NotImplemented", "Storage has no API for CORS rules (HTTP 501 NotImplemented)."],
  [405, "MethodNotAllowed", "Storage has no API for CORS rules (HTTP 405 MethodNotAllowed)."],
  [403, "AccessDenied", "These S3 keys may not change the CORS rules (HTTP 403 AccessDenied)."],
  [400, "MalformedXML", "Storage does not accept the rules in the form of S3 (HTTP 400 MalformedXML)."],
])("cors apply says what HTTP %i %s means, and prints the rules to paste", async (status, code, sentence) => {
  await using store = await aStoreThatRefuses(status, code);
  const settings = { ...store.settings, S3_PUBLIC_BUCKET: "public-files" };
  const args = ["cors", "apply", "--origin", ORIGIN];
  const { code: exitCode, stdout, stderr } = await stowage(args, settings);
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining(sentence) });
  expect(stdout).toContain(`--bucket ${settings.S3_BUCKET} --cors-configuration`);
  expect(stdout).toContain(`"${ORIGIN}"`);
  expect(stdout).toContain("--bucket public-files");
  const json = await stowage([...args, "--json"], settings);
  expect(JSON.parse(json.stdout)).toMatchObject({ refused: { status, code } });
  expect(JSON.parse(json.stdout).forms[0]).toMatchObject({ store: null, set_by: "the owner of the bucket" });
});

test("cors apply prints no form to paste if storage is only busy", async () => {
  await using store = await aStoreThatRefuses(503, "SlowDown");
  const { code, stdout, stderr } = await stowage(["cors", "apply", "--origin", ORIGIN], store.settings);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain("Storage at S3_ENDPOINT does not answer as expected");
});
