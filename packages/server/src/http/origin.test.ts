import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aStowage } from "../../test/a-stowage.js";
import { transports } from "../../test/transports.js";
import { aService, type FakeService } from "@stowage/service-fake";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());

const ALLOWED_ORIGIN = "https://pages.example";
const stowage = (more: object = {}) =>
  aStowage(service, { allowedOrigins: [ALLOWED_ORIGIN, "capacitor://localhost"], ...more });

// The helper itself runs at https://app.example.
const rows: [passes: boolean, why: string, headers: Record<string, string>][] = [
  [true, "a client that is not a browser", {}],
  [true, "the own origin", { "Sec-Fetch-Site": "same-origin" }],
  [
    true,
    "the own origin with an Origin header",
    { "Sec-Fetch-Site": "same-origin", Origin: "https://app.example" },
  ],
  [
    true,
    "the own origin behind a proxy that replaces the host",
    { "Sec-Fetch-Site": "same-origin", Origin: "https://public.example" },
  ],
  [true, "a URL typed into the address bar", { "Sec-Fetch-Site": "none" }],
  [true, "an allowed origin", { "Sec-Fetch-Site": "cross-site", Origin: ALLOWED_ORIGIN }],
  [true, "an allowed origin of the same site", { "Sec-Fetch-Site": "same-site", Origin: ALLOWED_ORIGIN }],
  [true, "an allowed origin of an older browser", { Origin: ALLOWED_ORIGIN }],
  [true, "an allowed app", { "Sec-Fetch-Site": "cross-site", Origin: "capacitor://localhost" }],
  [true, "the own origin of an older browser", { Origin: "https://app.example" }],
  [true, "the own host behind a proxy that ends TLS", { Origin: "http://app.example" }],
  [true, "the own host according to Host", { Origin: "https://real.example", Host: "real.example" }],
  [
    true,
    "the own host with the scheme's default port",
    { Origin: "https://real.example", Host: "real.example:443" },
  ],
  [true, "the own host and port", { Origin: "http://127.0.0.1:3000", Host: "127.0.0.1:3000" }],
  [
    true,
    "an allowed origin behind a proxy that replaces the host",
    { Origin: ALLOWED_ORIGIN, Host: "inner:80", "X-Forwarded-Host": "pages.example" },
  ],
  [false, "another site", { "Sec-Fetch-Site": "cross-site" }],
  [
    false,
    "another site with an Origin header",
    { "Sec-Fetch-Site": "cross-site", Origin: "https://evil.example" },
  ],
  [
    false,
    "another site that sends the own host as Origin",
    { "Sec-Fetch-Site": "cross-site", Origin: "https://app.example" },
  ],
  [false, "another origin of the same site", { "Sec-Fetch-Site": "same-site" }],
  [
    false,
    "another origin of the same site with an Origin header",
    { "Sec-Fetch-Site": "same-site", Origin: "https://blog.app.example" },
  ],
  [false, "an unknown value of Sec-Fetch-Site", { "Sec-Fetch-Site": "near-site" }],
  [false, "another origin of an older browser", { Origin: "https://evil.example" }],
  [false, "the own host on another port", { Origin: "https://app.example:8443" }],
  [false, "a host that starts with the own host", { Origin: "https://app.example.evil.example" }],
  [false, "a host that ends with the own host", { Origin: "https://evilapp.example" }],
  [false, "an allowed host with another scheme", { Origin: "http://pages.example" }],
  [false, "an allowed host in upper case, which no browser sends", { Origin: "https://PAGES.example" }],
  [
    false,
    "a host that only X-Forwarded-Host names, which any client can send",
    { Origin: "https://evil.example", "X-Forwarded-Host": "evil.example" },
  ],
  [
    false,
    "a host that only X-Forwarded-Host names, beside another Host",
    { Origin: "https://evil.example", Host: "app.example", "X-Forwarded-Host": "evil.example, app.example" },
  ],
  [
    false,
    "a later host of X-Forwarded-Host",
    { Origin: "https://evil.example", "X-Forwarded-Host": "app.example, evil.example" },
  ],
  [false, "an opaque origin", { Origin: "null" }],
  [false, "an opaque origin of a sandboxed frame", { "Sec-Fetch-Site": "cross-site", Origin: "null" }],
  [false, "an opaque origin with the host name null", { Origin: "null", Host: "null" }],
  [false, "an origin with another scheme and the own host", { Origin: "app://app.example" }],
  [false, "an empty origin", { Origin: "" }],
];

describe.each(transports)("over $name", (transport) => {
  test.each(rows)("passes %s: %s %j", async (passes, _why, headers) => {
    const refused = {
      status: 403,
      code: "cross_site",
      detail: "Requests from other sites are not allowed",
    };
    const ok = { status: 200 };
    const helper = stowage();
    for (const seen of [
      await transport.call(helper, "request", { filename: "a", size: 1 }, headers),
      await transport.routes(helper, headers),
    ]) {
      if (passes) expect(seen).toMatchObject(ok);
      else expect(seen).toEqual(refused);
    }
  });

  test("accepts an opaque origin if it is allowed", async () => {
    const helper = stowage({ allowedOrigins: ["null"] });
    const headers = { "Sec-Fetch-Site": "cross-site", Origin: "null" };
    expect(await transport.call(helper, "request", { filename: "a", size: 1 }, headers)).toMatchObject({
      status: 200,
    });
  });

  test("does not call tenant for a page of another site", async () => {
    let called = 0;
    const helper = stowage({ tenant: () => `user_${++called}` });
    await transport.call(helper, "delete", { file_path: "a" }, { "Sec-Fetch-Site": "cross-site" });
    expect(called).toBe(0);
  });
});

describe.each(transports)("behind a proxy that replaces the host, over $name,", (transport) => {
  const pageOf = (origin: string) => ({ Origin: origin, "X-Forwarded-Host": new URL(origin).host });
  const send = (helper: ReturnType<typeof stowage>, origin: string) =>
    transport.call(helper, "request", { filename: "a", size: 1 }, pageOf(origin));

  test("a refused page of the own site is reported once, with what to set", async () => {
    const helper = stowage();
    for (let times = 0; times < 3; times++) {
      expect(await send(helper, "https://real.example:8443")).toMatchObject({ code: "cross_site" });
    }
    expect(helper.reported.map(({ message }) => message)).toEqual([
      'Refused a page of https://real.example:8443, because Host names another host. If the page is yours, a proxy in front of this server replaces Host: let the proxy pass it on unchanged, or add "https://real.example:8443" to allowedOrigins',
    ]);
    expect(
      await send(stowage({ allowedOrigins: ["https://real.example:8443"] }), "https://real.example:8443"),
    ).toMatchObject({ status: 200 });
  });

  test("clients cannot cause more than ten reports", async () => {
    const helper = stowage();
    for (let index = 0; index < 12; index++) await send(helper, `https://site-${index}.example`);
    expect(helper.reported).toHaveLength(10);
  });
});

test.each([
  "*",
  "https://a.example/",
  "https://a.example/x",
  "HTTPS://a.example",
  "a.example",
  "https://a.example:443",
  "",
])("refuses to allow a text that is not an origin: %j", (origin) => {
  expect(() => stowage({ allowedOrigins: [origin] })).toThrow(
    `createStowage: allowedOrigins: "${origin}" is not an origin: pass only scheme and host, such as "https://app.example.com"`,
  );
});
