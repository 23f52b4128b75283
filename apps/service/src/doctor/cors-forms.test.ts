import { expect, test } from "vitest";
import { describePages, writePastedRules } from "./cors-forms.js";

const at = (endpoint: string) => ({ endpoint, bucket: "files", publicBucket: "public-files" });
const origin = "https://app.example.com";

test("the rules to paste are in the form of the provider, for both buckets", () => {
  const rules = writePastedRules(at("https://0a1b.r2.cloudflarestorage.com"), [origin]);
  expect(rules.map(({ store, bucket }) => [store, bucket])).toEqual([
    ["Cloudflare R2", "files"],
    ["Cloudflare R2", "public-files"],
  ]);
  expect(JSON.parse(rules[0]!.form)).toMatchObject([{ AllowedOrigins: [origin] }]);
  expect(JSON.parse(rules[1]!.form)).toMatchObject([
    { AllowedOrigins: ["*"], AllowedMethods: ["GET", "HEAD"] },
  ]);
});

test("for a server that no host names, they are in S3's form, and in that of servers without an API for them", () => {
  const rules = writePastedRules({ ...at("http://10.0.0.1:9000"), publicBucket: null }, [origin]);
  expect(rules.map(({ store }) => store)).toEqual([null, "RustFS", "OpenStack Swift"]);
});

test("the dashboard shows the command, and a form only where the provider has its own", () => {
  expect(describePages(at("https://s3.eu-central-1.amazonaws.com"), origin)).toEqual({
    provider: "Amazon S3",
    command: `stowage cors apply --origin ${origin}`,
    pasted: [],
  });
  const { pasted } = describePages(at("https://storage.googleapis.com"), origin);
  expect(pasted[0]!.form).toContain("gcloud storage buckets update gs://files");
  expect(describePages(at("http://127.0.0.1:4001"), origin)).toMatchObject({ provider: null, pasted: [] });
});
