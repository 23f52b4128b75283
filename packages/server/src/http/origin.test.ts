import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aStowage } from "../../test/a-stowage.js";
import { faces } from "../../test/transports.js";
import { aService, type FakeService } from "@stowage/service-fake";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());

const LISTED = "https://pages.example";
const stowage = (more: object = {}) =>
  aStowage(service, { allowedOrigins: [LISTED, "capacitor://localhost"], ...more });

// The helper is asked as https://app.example.
const rows: [passes: boolean, why: string, headers: Record<string, string>][] = [
  [true, "no browser", {}],
  [true, "the own origin", { "Sec-Fetch-Site": "same-origin" }],
  [true, "the own origin, named", { "Sec-Fetch-Site": "same-origin", Origin: "https://app.example" }],
  [
    true,
    "the own origin behind a proxy that hides the host",
    { "Sec-Fetch-Site": "same-origin", Origin: "https://public.example" },
  ],
  [true, "the address bar", { "Sec-Fetch-Site": "none" }],
  [true, "a listed origin", { "Sec-Fetch-Site": "cross-site", Origin: LISTED }],
  [true, "a listed origin of the same site", { "Sec-Fetch-Site": "same-site", Origin: LISTED }],
  [true, "a listed origin of an older browser", { Origin: LISTED }],
  [true, "a listed app", { "Sec-Fetch-Site": "cross-site", Origin: "capacitor://localhost" }],
  [true, "the own origin of an older browser", { Origin: "https://app.example" }],
  [true, "the own host where TLS ends before us", { Origin: "http://app.example" }],
  [true, "the own host by Host", { Origin: "https://real.example", Host: "real.example" }],
  [
    true,
    "the own host with the scheme's own port",
    { Origin: "https://real.example", Host: "real.example:443" },
  ],
  [true, "the own host and port", { Origin: "http://127.0.0.1:3000", Host: "127.0.0.1:3000" }],
  [
    true,
    "the host that the first proxy saw",
    { Origin: "https://real.example", Host: "inner:80", "X-Forwarded-Host": "real.example, inner" },
  ],
  [false, "another site", { "Sec-Fetch-Site": "cross-site" }],
  [false, "another site, named", { "Sec-Fetch-Site": "cross-site", Origin: "https://evil.example" }],
  [
    false,
    "another site that names the own host",
    { "Sec-Fetch-Site": "cross-site", Origin: "https://app.example" },
  ],
  [false, "a sibling of the same site", { "Sec-Fetch-Site": "same-site" }],
  [
    false,
    "a sibling of the same site, named",
    { "Sec-Fetch-Site": "same-site", Origin: "https://blog.app.example" },
  ],
  [false, "a word of a later standard", { "Sec-Fetch-Site": "near-site" }],
  [false, "an older browser's other origin", { Origin: "https://evil.example" }],
  [false, "the own host on another port", { Origin: "https://app.example:8443" }],
  [false, "a host that begins alike", { Origin: "https://app.example.evil.example" }],
  [false, "a host that ends alike", { Origin: "https://evilapp.example" }],
  [false, "a listed host by another scheme", { Origin: "http://pages.example" }],
  [false, "a listed host in other letters, as no browser writes it", { Origin: "https://PAGES.example" }],
  [
    false,
    "a proxy after the first",
    { Origin: "https://evil.example", "X-Forwarded-Host": "app.example, evil.example" },
  ],
  [false, "an opaque origin", { Origin: "null" }],
  [false, "an opaque origin of a sandboxed frame", { "Sec-Fetch-Site": "cross-site", Origin: "null" }],
  [false, "an opaque origin where the host is odd", { Origin: "null", Host: "null" }],
  [false, "an origin of another kind that names the own host", { Origin: "app://app.example" }],
  [false, "an empty origin", { Origin: "" }],
];

describe.each(faces)("over $name", (face) => {
  it.each(rows)("passes: %s, %s %j", async (passes, _why, headers) => {
    const refused = {
      status: 403,
      code: "cross_site",
      detail: "Requests from other sites are not allowed",
    };
    const ok = { status: 200 };
    const helper = stowage();
    for (const seen of [
      await face.call(helper, "request", { filename: "a" }, headers),
      await face.routes(helper, headers),
    ]) {
      if (passes) expect(seen).toMatchObject(ok);
      else expect(seen).toEqual(refused);
    }
  });

  it("lets an opaque origin pass where it is listed", async () => {
    const helper = stowage({ allowedOrigins: ["null"] });
    const headers = { "Sec-Fetch-Site": "cross-site", Origin: "null" };
    expect(await face.call(helper, "request", { filename: "a" }, headers)).toMatchObject({ status: 200 });
  });

  it("asks no session for a page of another site", async () => {
    let asked = 0;
    const helper = stowage({ tenant: () => `user_${++asked}` });
    await face.call(helper, "delete", { file_path: "a" }, { "Sec-Fetch-Site": "cross-site" });
    expect(asked).toBe(0);
  });
});

it.each([
  "*",
  "https://a.example/",
  "https://a.example/x",
  "HTTPS://a.example",
  "a.example",
  "https://a.example:443",
  "",
])("is no origin that can be allowed: %j", (origin) => {
  expect(() => stowage({ allowedOrigins: [origin] })).toThrow(
    `createStowage: allowedOrigins: "${origin}" is not an origin: pass only scheme and host, such as "https://app.example.com"`,
  );
});
