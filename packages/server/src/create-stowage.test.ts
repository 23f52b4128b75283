import { inspect } from "node:util";
import { afterEach, describe, expect, test, vi } from "vitest";
import { aStowage, post } from "../test/a-stowage.js";
import { API_KEY, aService, hangsUp, says } from "@stowage/service-fake";
import { createStowage, type StowageOptions } from "./index.js";

afterEach(() => void vi.unstubAllGlobals());

const validOptions: StowageOptions = {
  apiKey: API_KEY,
  baseUrl: "https://files.example/",
  tenant: () => null,
};
const creating = (options: object) => () => createStowage({ ...validOptions, ...options });

describe("the options", () => {
  test.each([
    [{ apiKey: undefined }, /apiKey is missing/],
    [{ apiKey: "sk_live_123" }, /apiKey must be stow_live_ and 49/],
    [{ apiKey: `${API_KEY}\n` }, /apiKey must be .* with nothing before or after/],
    [{ baseUrl: undefined }, /baseUrl is missing/],
    [{ baseUrl: "files.example" }, /baseUrl must be an http/],
    [{ baseUrl: "ftp://files.example" }, /baseUrl must be an http/],
    [{ baseUrl: "https://ada:secret@files.example" }, /without user/],
    [{ baseUrl: "https://files.example/?a=1" }, /query/],
    [{ tenant: "user_ada" }, /tenant must be a function/],
    [{ timeoutMs: 0 }, /timeoutMs must be at least 1/],
    [{ timeoutMs: "10" }, /timeoutMs must be a number/],
    [{ fetch: {} }, /fetch must be a function/],
    [{ onError: "log" }, /onError must be a function/],
    [{ allowDelete: "yes" }, /allowDelete must be true, false or a function/],
    [{ allowedOrigins: "https://app.example" }, /allowedOrigins must be a list of origins/],
    [{ allowList: 1 }, /allowList must be true, false or a function/],
    [{ allowShare: "yes" }, /allowShare must be true, false or a function/],
    [{ allowVersions: "yes" }, /allowVersions must be true, false or a function/],
    [{ allowUpdate: "yes" }, /allowUpdate must be true, false or a function/],
    [{ allowRestore: 1 }, /allowRestore must be true, false or a function/],
    [{ allowFolders: [] }, /allowFolders must be true, false or a function/],
    [{ allowFolderJobs: "move" }, /allowFolderJobs must be true, false or a function/],
    [{ allowUsage: "yes" }, /allowUsage must be true, false or a function/],
    [
      { maxSize: "4MB" },
      /maxSize is not an option: it belongs into a route, such as routes: { documents: { maxSize: … } }/,
    ],
    [{ route: {} }, /route is not an option: those are apiKey, .*, routes, multipartFrom$/],
    [{ multipartFrom: true }, /multipartFrom: "true" is not a size such as "4MB"/],
    [
      { multipartFrom: "6GiB" },
      /multipartFrom must be at most 5GiB, the limit of one PUT, or false for no parts/,
    ],
    [{ routes: { "a b": {} } }, /routes\.a b: a route's name has 1 to 64/],
  ])("are refused with one sentence: %o", (options, sentence) => {
    expect(creating(options)).toThrow(sentence);
    expect(creating(options)).toThrow(/^createStowage: [^\n]+$/);
  });

  test("are accepted", () => {
    expect(creating({})).not.toThrow();
    expect(creating({ multipartFrom: "5GiB" })).not.toThrow();
    expect(creating({ multipartFrom: false, routes: { a: { multipartFrom: 0 } } })).not.toThrow();
    expect(
      creating({ baseUrl: "http://localhost:4000///", fetch: undefined, timeoutMs: undefined }),
    ).not.toThrow();
  });
});

test("refuses to run in a browser", () => {
  vi.stubGlobal("window", globalThis);
  vi.stubGlobal("document", {});
  expect(creating({})).toThrow(/runs in a browser.*stays secret/);
});

describe("the key", () => {
  test("is on no object that the helper returns", () => {
    const stowage = createStowage(validOptions);
    expect(inspect(stowage, { depth: Infinity, showHidden: true, getters: true })).not.toContain(API_KEY);
    expect(JSON.stringify(stowage)).not.toContain(API_KEY);
  });

  test("is in no error about a wrong option", () => {
    const almost = `${API_KEY}0`;
    expect(creating({ apiKey: almost })).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining(API_KEY) }),
    );
  });

  test("is in no response and no reported error, after any failure", async () => {
    await using service = await aService();
    const leaky = async () => Promise.reject(Object.assign(new Error(`Bearer ${API_KEY}`), { key: API_KEY }));
    const stowages = [
      aStowage(service),
      aStowage(service, { fetch: leaky }),
      aStowage(service, { tenant: () => Promise.reject(new Error("no session")) }),
      aStowage({ url: "http://127.0.0.1:1" }),
    ];
    service.next(says(401, { detail: "Unauthorized" }), says(500, "<html>"), hangsUp, says(301, ""));
    for (const stowage of stowages) {
      for (let round = 0; round < 5; round++) {
        const response = await stowage.handler(post("request", { filename: "a", size: 1 }));
        const seen = `${await response.text()} ${inspect([...response.headers])}`;
        expect(seen).not.toContain(API_KEY);
      }
      expect(inspect(stowage.reported, { depth: Infinity, showHidden: true })).not.toContain(API_KEY);
    }
    expect(stowages.flatMap(({ reported }) => reported).length).toBeGreaterThan(10);
  });

  test("is not in the default log", async () => {
    const logged: unknown[][] = [];
    vi.stubGlobal("console", { ...console, error: (...line: unknown[]) => logged.push(line) });
    await using service = await aService();
    service.next(says(401, { detail: "Unauthorized" }));
    await aStowage(service, { onError: undefined }).handler(post("request", { filename: "a", size: 1 }));
    expect(logged).toEqual([[expect.stringMatching(/^\[stowage\] .*refused the API key/)]]);
    expect(inspect(logged)).not.toContain(API_KEY);
  });
});
