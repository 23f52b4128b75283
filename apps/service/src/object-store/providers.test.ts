import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { createPresigner } from "./presign.js";
import { type CorsForm, findProvider, type Provider, providers, writeCorsForm } from "./providers.js";

const nameOf = (endpoint: string) => {
  const found = findProvider(endpoint);
  return found && [found.provider.name, found.region];
};

describe("a provider", () => {
  test.each([
    ["https://s3.eu-central-1.amazonaws.com", "Amazon S3", "eu-central-1"],
    ["https://s3.amazonaws.com", "Amazon S3", null],
    ["https://s3-accelerate.amazonaws.com", null, null],
    ["https://s3-fips.us-east-1.amazonaws.com", "Amazon S3", "us-east-1"],
    ["https://s3-fips.dualstack.us-gov-west-1.amazonaws.com", "Amazon S3", "us-gov-west-1"],
    ["https://s3.eusc-de-east-1.amazonaws.eu", "Amazon S3", "eusc-de-east-1"],
    ["https://S3.eu-central-1.amazonaws.com.:443", "Amazon S3", "eu-central-1"],
    ["https://0a1b.r2.cloudflarestorage.com", "Cloudflare R2", "auto"],
    ["https://0a1b.eu.r2.cloudflarestorage.com", "Cloudflare R2", "auto"],
    ["https://s3.us-west-004.backblazeb2.com", "Backblaze B2", "us-west-004"],
    ["https://s3.wasabisys.com", "Wasabi", null],
    ["https://fra1.digitaloceanspaces.com", "DigitalOcean Spaces", "fra1"],
    ["https://s3.fr-par.scw.cloud", "Scaleway", "fr-par"],
    ["https://s3.gra.io.cloud.ovh.net", "OVHcloud", "gra"],
    ["https://fsn1.your-objectstorage.com", "Hetzner", "fsn1"],
    ["https://t3.storage.dev", "Tigris", "auto"],
    ["https://storage.googleapis.com", "Google Cloud Storage (XML)", "auto"],
    ["https://abc.storage.supabase.co/storage/v1/s3", "Supabase Storage", null],
    ["https://s3.amazonaws.com.example.com", null, null],
    ["http://127.0.0.1:4001", null, null],
  ])("is known by its endpoint %s", (endpoint, name, region) => {
    expect(nameOf(endpoint)).toEqual(name === null ? null : [name, region]);
  });

  test.each(providers)("of the table is complete: $name", ({ sources, readOn }) => {
    expect(sources.length).toBeGreaterThan(0);
    for (const source of sources) expect(new URL(source).protocol).toBe("https:");
    expect(Date.parse(readOn)).not.toBeNaN();
  });
});

describe("the rules for pages", () => {
  const rule = {
    origins: ["https://a.example", "https://b.example"],
    methods: ["PUT", "GET", "HEAD"],
    headers: ["*"],
    exposedHeaders: ["ETag", "Content-Range"],
    maxAgeSeconds: 600,
  };
  const write = (form: CorsForm) =>
    writeCorsForm(form, { rule, bucket: "files", endpoint: "https://s3.example" });
  const jsonIn = (text: string): unknown => JSON.parse(/[[{][^]*[\]}]/.exec(text)![0]);

  test("are a call of S3", () => {
    const text = write("aws");
    expect(text).toContain("put-bucket-cors --endpoint-url https://s3.example --bucket files ");
    expect(jsonIn(text)).toEqual({ CORSRules: jsonIn(write("json")) });
  });

  test("are JSON for a console", () => {
    expect(JSON.parse(write("json"))).toEqual([
      {
        AllowedOrigins: ["https://a.example", "https://b.example"],
        AllowedMethods: ["PUT", "GET", "HEAD"],
        AllowedHeaders: ["*"],
        ExposeHeaders: ["ETag", "Content-Range"],
        MaxAgeSeconds: 600,
      },
    ]);
  });

  test("are one list of headers for Google, which pages send and read", () => {
    const [cors] = jsonIn(write("gcloud")) as { responseHeader: string[]; origin: string[] }[];
    expect(cors?.origin).toEqual(rule.origins);
    expect(cors?.responseHeader).toEqual(expect.arrayContaining(["Content-MD5", "Content-Range"]));
    expect(write("gcloud")).toContain("gs://files --cors-file=cors.json");
  });

  test("allow each header that a PUT signs, in every form that names headers", async () => {
    const { presignPut } = createPresigner({
      endpoint: "https://s3.example",
      region: "auto",
      bucket: "files",
      credentials: { accessKeyId: "id", secretAccessKey: "secret" },
      encryption: { algorithm: "aws:kms", keyId: "key" },
    });
    const url = await presignPut({
      path: "a",
      contentType: "text/plain",
      sizeBytes: 1,
      contentMd5: "1B2M2Y8AsgTpgAmY7PhCfg==",
      cacheControl: "no-store",
      signedAt: new Date(),
      expiresInSeconds: 60,
    });
    const signed = new URL(url).searchParams.get("X-Amz-SignedHeaders")!.split(";");
    // Browsers set these two themselves.
    const sent = signed.filter((name) => name !== "host" && name !== "content-length");
    expect(sent).toHaveLength(5);
    const [google] = jsonIn(write("gcloud")) as { responseHeader: string[] }[];
    const [s3] = jsonIn(write("json")) as { AllowedHeaders: string[] }[];
    expect(google!.responseHeader.map((name) => name.toLowerCase())).toEqual(expect.arrayContaining(sent));
    expect(s3!.AllowedHeaders).toEqual(["*"]);
  });

  test("are metadata of the container, and of that of the parts, and a setting of the server for Swift", () => {
    expect(write("swift").match(/^swift post '.*'/gm)).toEqual([
      "swift post 'files'",
      "swift post 'files+segments'",
    ]);
    expect(write("swift")).toContain("Allow-Origin: https://a.example https://b.example'");
    expect(write("swift")).toContain("cors_preflight_allow_origin = https://a.example,https://b.example");
  });

  test("are a setting of the server for RustFS", () => {
    expect(write("rustfs")).toBe('RUSTFS_CORS_ALLOWED_ORIGINS="https://a.example,https://b.example"');
  });
});

const PAGE = fileURLToPath(new URL("../../../../docs/storage.md", import.meta.url));

test("docs/storage.md has the table; `vitest -u` writes it", async () => {
  const page = readFileSync(PAGE, "utf8");
  const table = [
    "| store | `S3_ENDPOINT`, `S3_REGION` | CORS rules | parts | what differs | run by us |",
    "|---|---|---|---|---|---|",
    ...providers.map(rowOf),
  ].join("\n");
  await expect(page.replace(/\| store \|[^]*?(?=\n\n)/, table)).toMatchFileSnapshot(PAGE);
});

function rowOf(provider: Provider): string {
  const { name, endpoint, region, addressing, cors, maxParts, deviations, sources, runByUs } = provider;
  const links = sources.map((source, index) => `[${index + 1}](${source})`).join(" ");
  const differs = [
    addressing === "path" && "the bucket in the path only",
    provider.conditionalWrites === true && "`If-None-Match: *` works",
    provider.conditionalWrites === false && "`If-None-Match` is refused (501)",
    provider.checksums && `checksums: ${provider.checksums}`,
    deviations,
  ];
  const cells = [
    `${name} ${links}`,
    `\`${endpoint}\`, ${region}`,
    `${FORMS[cors.form]}; ${cors.setBy}`,
    maxParts?.toLocaleString("en") ?? "",
    differs.filter(Boolean).join("; "),
    runByUs ?? "no",
  ];
  return `| ${cells.join(" | ")} |`;
}

const FORMS: Record<CorsForm, string> = {
  aws: "`cors apply`",
  json: "`cors apply`, or JSON",
  gcloud: "`gcloud`",
  swift: "metadata of the container",
  rustfs: "setting of the server",
  none: "no setting",
};
