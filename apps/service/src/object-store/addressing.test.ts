import { describe, expect, test } from "vitest";
import {
  type Addressing,
  createAddressFinder,
  type FoundAddressing,
  judgeAnswers,
  placeOf,
} from "./addressing.js";

describe("the address of a bucket", () => {
  test.each([
    ["http://s3.example:9000", "files", "http://s3.example:9000/files/", "http://files.s3.example:9000/"],
    ["https://s3.example/", "files", "https://s3.example/files/", "https://files.s3.example/"],
    ["https://a.example/v1/s3", "files", "https://a.example/v1/s3/files/", "https://files.a.example/v1/s3/"],
    ["https://s3.example", "my.files", "https://s3.example/my.files/", "https://s3.example/my.files/"],
    ["http://s3.example", "my.files", "http://s3.example/my.files/", "http://my.files.s3.example/"],
    ["http://127.0.0.1:9000", "files", "http://127.0.0.1:9000/files/", "http://127.0.0.1:9000/files/"],
    ["http://[::1]:9000", "files", "http://[::1]:9000/files/", "http://[::1]:9000/files/"],
  ])("at %s with %s is %s or %s", (endpoint, bucket, path, virtual) => {
    const urlOf = (addressing: "path" | "virtual") => {
      const place = placeOf(endpoint, bucket, addressing);
      expect(place.origin.endsWith(`//${place.host}`)).toBe(true);
      return place.origin + place.path;
    };
    expect([urlOf("path"), urlOf("virtual")]).toEqual([path, virtual]);
  });
});

const missing = { status: 404, code: "NoSuchKey" };
const noBucket = { status: 404, code: "NoSuchBucket" };
const denied = { status: 403, code: "AccessDenied" };
const noName = { status: null, code: "ENOTFOUND" };
const busy = { status: 503, code: null };

describe("the answers of storage", () => {
  test.each([
    [missing, missing, "path", true],
    [missing, noName, "path", true],
    [noBucket, missing, "virtual", true],
    [denied, missing, "virtual", true],
    [noName, missing, "virtual", true],
    ...[
      "SecondLevelDomainForbidden",
      "VirtualHostDomainRequired",
      "PathStyleDomainForbidden",
      "InvalidPathAccess",
    ].map((code) => [{ status: 403, code }, denied, "virtual", true] as const),
    [{ status: 403, code: "SecondLevelDomainForbidden" }, noName, "path", false],
    [denied, denied, "path", false],
    [denied, noName, "path", false],
    [{ status: 404, code: null }, noName, "path", false],
    [busy, busy, "path", false],
    [noName, noName, "path", false],
  ] as const)("%j in the path and %j in the host mean %s, sure: %s", (path, virtual, addressing, isSure) => {
    expect(judgeAnswers(path, virtual)).toMatchObject({ addressing, isSure });
  });
});

describe("auto", () => {
  const never = () => Promise.reject(new Error("storage was asked"));
  test.each([
    ["http://127.0.0.1:9000", "files", "path"],
    ["https://[2001:db8::1]", "files", "path"],
    ["https://s3.example.com", "files.example.com", "path"],
    ["https://s3.eu-central-1.amazonaws.com", "files", "virtual"],
    ["https://s3.cn-north-1.amazonaws.com.cn", "files", "virtual"],
    ["https://bucket.vpce-1a2b.s3.us-east-1.vpce.amazonaws.com", "files", "virtual"],
    ["https://s3-accelerate.amazonaws.com", "files", "virtual"],
    ["https://s3.eu-central-1.amazonaws.com", "my.files", "path"],
    ["https://abc.storage.supabase.co/storage/v1/s3", "files", "path"],
  ])("knows of %s and %s without a request: %s", (endpoint, bucket, addressing) => {
    const found: FoundAddressing[] = [];
    const finder = createAddressFinder({ endpoint, bucket }, never, (one) => found.push(one));
    expect([finder.now(), finder.current()]).toEqual([addressing, addressing]);
    expect(found).toMatchObject([{ addressing, isSure: true }]);
  });

  test.each([
    "http://s3-store-1.eu-central-1.elb.amazonaws.com",
    "http://ec2-192-0-2-1.eu-central-1.compute.amazonaws.com:9000",
  ])("asks a store of somebody else at Amazon: %s", async (endpoint) => {
    const ask = async (addressing: Addressing) => (addressing === "path" ? missing : busy);
    expect(await createAddressFinder({ endpoint, bucket: "files" }, ask).now()).toBe("path");
  });

  test("asks once for all that wait, takes the path while storage is down, and asks again after a minute", async () => {
    let nowMs = 0;
    const asked: string[] = [];
    let answers = {
      path: busy as { status: number; code: string | null },
      virtual: busy as typeof busy | typeof missing,
    };
    const found: FoundAddressing[] = [];
    const finder = createAddressFinder(
      { endpoint: "http://s3.example", bucket: "files" },
      async (addressing) => {
        asked.push(addressing);
        return answers[addressing];
      },
      (one) => found.push(one),
      () => nowMs,
    );
    expect(finder.current()).toBe("path");
    expect(await Promise.all([finder.now(), finder.now()])).toEqual(["path", "path"]);
    expect(asked).toEqual(["path", "virtual"]);

    answers = { path: denied, virtual: missing };
    nowMs = 59_999;
    expect(finder.now()).toBe("path");
    expect(asked).toHaveLength(2);
    nowMs = 60_000;
    expect([finder.now(), finder.now()]).toEqual(["path", "path"]);
    await expect.poll(() => finder.now()).toBe("virtual");
    expect(asked).toHaveLength(4);
    expect(found.map(({ addressing, isSure }) => [addressing, isSure])).toEqual([
      ["path", false],
      ["virtual", true],
    ]);

    nowMs = 10 ** 9;
    expect(finder.now()).toBe("virtual");
    expect(asked).toHaveLength(4);
  });
});
