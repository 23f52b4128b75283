import { describe, expect, test } from "vitest";
import { createLogParser, type LogFormat } from "./access-logs.js";

const parse = (format: LogFormat, ...lines: string[]) => lines.map(createLogParser(format));
const at = (time: string) => new Date(time);

const PATH = "projects/4mC9d1XbQhVZ0sKpL2yRtE/tenants/7gH3kLmNpQrStUvWxYz012/0aBcDeFgHiJkLmNoPqRsTu_a.txt";
/** What the URL of a download has, and what the service uses to read a file itself. */
const SIGNED =
  "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=K&X-Amz-Date=20190206T000038Z&X-Amz-Expires=900";
const DOWNLOAD = `${SIGNED}&X-Amz-SignedHeaders=host&response-content-disposition=attachment&x-id=GetObject&X-Amz-Signature=s`;
const OWN = `${SIGNED}&X-Amz-SignedHeaders=host&x-id=GetObject&X-Amz-Signature=s`;

describe("s3", () => {
  const OWNER = "79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be";
  const START = `${OWNER} amzn-s3-demo-bucket1 [06/Feb/2019:00:00:38 +0000] 192.0.2.3`;
  const END = `7 - "-" "S3Console/0.4" - s9lzHYrFp76ZVxRcpX9+5cjAnEH2ROuNkd2BHfIa6UkFVdtjf5mKR3/eTPFvsiP/XV/VLi31234= SigV4 ECDHE-RSA-AES128-GCM-SHA256 QueryString amzn-s3-demo-bucket1.s3.us-west-1.amazonaws.com TLSV1.2 - -`;
  const get = (key: string, query: string, { requester = OWNER, answer = "200 - 2048 4096" } = {}) =>
    `${START} ${requester} 3E57427F3EXAMPLE REST.GET.OBJECT ${key} "GET /amzn-s3-demo-bucket1/${key}?${query} HTTP/1.1" ${answer} ${END}`;
  const delivery = { at: at("2019-02-06T00:00:38Z"), path: PATH, bytes: 2048 };

  test("a presigned download and one of a public file count, whole or in part", () => {
    const lines = [
      get(PATH, DOWNLOAD),
      get(PATH, "", { requester: "-" }),
      get(PATH, DOWNLOAD, { answer: "206 - 2048 4096" }),
    ];
    expect(parse("s3", ...lines)).toEqual([delivery, delivery, delivery]);
    expect(parse("s3", get(PATH, DOWNLOAD, { answer: "200 - - 0" }))).toEqual([{ ...delivery, bytes: 0 }]);
  });

  test("keys are encoded, also twice, and names of parameters may be", () => {
    const lines = [
      get(PATH.replaceAll("/", "%252F"), DOWNLOAD),
      get(PATH, DOWNLOAD.replaceAll(/(?<=^|&)X-Amz-/g, "X%2DAmz%2d")),
      get(PATH, "x=X-Amz-Algorithm=1", { requester: "-" }),
    ];
    expect(parse("s3", ...lines)).toEqual([delivery, delivery, delivery]);
  });

  test("other requests do not count, nor does a read with the keys of storage", () => {
    expect(
      parse(
        "s3",
        `${START} ${OWNER} 3E57427F3EXAMPLE REST.GET.VERSIONING - "GET /amzn-s3-demo-bucket1?versioning HTTP/1.1" 200 - 113 - ${END}`,
        `${START} ${OWNER} 3E57427F3EXAMPLE REST.PUT.OBJECT ${PATH} "PUT /amzn-s3-demo-bucket1/${PATH} HTTP/1.1" 200 - - 4406583 ${END}`,
        `${START} ${OWNER} 3E57427F3EXAMPLE REST.HEAD.OBJECT ${PATH} "HEAD /${PATH}?${DOWNLOAD} HTTP/1.1" 200 - - 4406583 ${END}`,
        `${START} ${OWNER} 3E57427F3EXAMPLE S3.EXPIRE.OBJECT ${PATH} - - - - 4406583 - - - - - - - - - - - - -`,
        get(PATH, DOWNLOAD, { answer: "403 AccessDenied 243 -" }),
        get(PATH, DOWNLOAD, { answer: "304 - - 4096" }),
        get(PATH, OWN),
        get(PATH, "x-id=GetObject"),
      ),
    ).toEqual(Array.from({ length: 8 }, () => "other"));
  });
});

describe("ceph", () => {
  const beast = (
    request: string,
    rest = `200 2048 - "curl/8.5.0" - latency=0.004000025s`,
    user = "anonymous",
  ) =>
    `2021-05-05T09:21:15.123+0000 7f1e6b7fe700  1 beast: 0x7f1f6c0d3630: 192.0.2.3 - ${user} [05/May/2021:11:21:15.119 +0200] "${request}" ${rest}`;
  const delivery = { at: at("2021-05-05T09:21:15Z"), path: `bucket/${PATH}`, bytes: 2048 };
  const entry = (members: object = {}) =>
    JSON.stringify({
      bucket: "bucket",
      time: "2021-05-05T09:21:15.123456Z",
      time_local: "2021-05-05T11:21:15.123456+0200",
      remote_addr: "192.0.2.3",
      user: "stowage",
      operation: "get_obj",
      uri: `GET /bucket/${PATH}?${DOWNLOAD} HTTP/1.1`,
      http_status: "200",
      error_code: "",
      bytes_sent: 2048,
      bytes_received: 0,
      object_size: 2048,
      total_time: 4,
      user_agent: "curl/8.5.0",
      referrer: "",
      trans_id: "tx000000000000000000001-006092620b-1024-default",
      authentication_type: "Local",
      access_key_id: "K",
      temp_url: false,
      ...members,
    });

  test("downloads of the gateway's log and of its ops log count", () => {
    expect(
      parse(
        "ceph",
        beast(`GET /bucket/${PATH}?${DOWNLOAD} HTTP/1.1`, undefined, "stowage"),
        beast(`GET /bucket/${PATH} HTTP/1.1`),
        entry(),
        `${entry({ user: "anonymous", uri: `GET /bucket/${PATH} HTTP/1.1` })},`,
        entry({ time: "2021-05-05 09:21:15.123456Z" }),
      ),
    ).toEqual(Array.from({ length: 5 }, () => delivery));
  });

  test("a quote in an address hides no download, and makes none", () => {
    expect(parse("ceph", beast(`GET /bucket/${PATH}?x="y"HTTP/1.1" HTTP/1.1`))).toEqual([delivery]);
    expect(parse("ceph", beast(`GET /x" 200 9 HTTP/1.1`, "404 0 - - -"))).toEqual(["other"]);
  });

  test("other requests and lines do not count, nor does a read with the keys of storage", () => {
    expect(
      parse(
        "ceph",
        beast(`GET /bucket/${PATH}?x-id=GetObject HTTP/1.1`, undefined, "stowage"),
        beast(`PUT /bucket/${PATH} HTTP/1.1`),
        entry({ uri: `GET /bucket/${PATH}?${OWN} HTTP/1.1` }),
        entry({ http_status: "404" }),
        "2021-05-05T09:21:15.119+0000 7f1e6b7fe700  1 ====== starting new request req=0x7f1f6c0d3630 =====",
        `192.0.2.3 - - [05/May/2021:11:21:15 +0200] "GET /bucket/${PATH} HTTP/1.1" 200 2048`,
        "{",
        '{"uri":{"toString":1},"time":[],"bytes_sent":1e30}',
        entry({ bytes_sent: -1 }),
        entry({ time: "yesterday" }),
      ),
    ).toEqual([
      "other",
      "other",
      "other",
      "other",
      "skipped",
      "unread",
      "unread",
      "unread",
      "unread",
      "unread",
    ]);
  });
});

describe("nginx", () => {
  const combined = (request: string, rest = `200 2048 "-" "Mozilla/5.0 (X11)"`, user = "-") =>
    `192.0.2.3 - ${user} [30/Nov/2026:23:30:00 -0100] "${request}" ${rest}`;
  const delivery = { at: at("2026-12-01T00:30:00Z"), path: `bucket/${PATH}`, bytes: 2048 };

  test("downloads count, also in the common format", () => {
    expect(
      parse(
        "nginx",
        combined(`GET /bucket/${PATH}?${DOWNLOAD} HTTP/1.1`),
        combined(`GET /bucket/${PATH} HTTP/2.0`, "206 2048\r"),
        combined(String.raw`GET /bucket/${PATH}?x=\"\\ HTTP/1.1`),
      ),
    ).toEqual([delivery, delivery, delivery]);
    expect(parse("nginx", combined(`GET http://files.example/bucket/${PATH} HTTP/1.1`))).toEqual([
      { ...delivery, path: `http:/files.example/bucket/${PATH}` },
    ]);
  });

  const foreign = PATH.replace("7gH3", "0000");
  test.each([
    [`/bucket/${foreign.split("/", 4).join("/")}/../../../../${PATH}`, `bucket/${PATH}`],
    [`/bucket/${foreign}/%2e%2E/../../../../../${PATH}`, PATH],
    [`/bucket//./%70rojects/${PATH.slice("projects/".length)}`, `bucket/${PATH}`],
    [`/../../bucket/${PATH}`, `bucket/${PATH}`],
  ])("the address %s reads the file that the server read", (address, path) => {
    expect(parse("nginx", combined(`GET ${address} HTTP/1.1`))).toEqual([{ ...delivery, path }]);
  });

  test("what a client sends is no field of the log", () => {
    const user = `x [30/Nov/2020:00:00:00 +0000] \\x22GET /bucket/${foreign} HTTP/1.1\\x22 200 9`;
    expect(parse("nginx", combined(`GET /bucket/${PATH} HTTP/1.1`, undefined, user))).toEqual([delivery]);
    const agent = `404 0 "-" "\\" [30/Nov/2026:23:30:00 -0100] \\"GET /bucket/${PATH} HTTP/1.1\\" 200 9"`;
    expect(parse("nginx", combined("GET / HTTP/1.1", agent))).toEqual(["other"]);
  });

  test("requests that are none do not count, and other lines are of another format", () => {
    expect(
      parse(
        "nginx",
        combined("", "400 0 - -"),
        combined(String.raw`\x16\x03\x01`, "400 157 - -"),
        combined(`GET /bucket/${PATH}?${OWN} HTTP/1.1`),
        combined(`HEAD /bucket/${PATH} HTTP/1.1`),
        "",
        "a line",
        `\u0000\u001b[31m"${"]".repeat(100)}`,
        combined("GET / HTTP/1.1").replace("Nov", "Foo"),
        combined(`GET /bucket/${PATH} HTTP/1.1`, `200 ${"9".repeat(400)} "-"`),
      ),
    ).toEqual(["other", "other", "other", "other", "skipped", "unread", "unread", "unread", "unread"]);
  });

  // If the time grew with the square of the length, a line would take longer than a test may.
  test.each([`"`, "[", "] ", `[x] "`, "\\", `\\"`, "%", "/../", "a ", `"a b`, `"a":{`, `"a":[`])(
    "a long line of %s is no download, and ends in time",
    (part) => {
      const line = part.repeat(256 * 1024).slice(0, 256 * 1024);
      const lines = [line, `{${line}`, combined(line), combined(line, "404 0"), `- - ${line}`];
      for (const format of ["s3", "ceph", "nginx"] as const)
        expect(parse(format, ...lines).filter((parsed) => typeof parsed !== "string")).toEqual([]);
    },
  );
});

describe("cloudfront", () => {
  const FIELDS =
    "#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query";
  const line = (
    cells: Partial<Record<"bytes" | "method" | "status" | "path" | "date" | "query", string>> = {},
  ) =>
    [
      cells.date ?? "2019-12-04",
      "21:02:31",
      "LAX1",
      cells.bytes ?? "2390",
      "192.0.2.100",
      cells.method ?? "GET",
      "d111111abcdef8.cloudfront.net",
      cells.path ?? `/${PATH}`,
      cells.status ?? "200",
      "-",
      "Mozilla/5.0%20(X11)",
      cells.query ?? "Expires=1&Signature=s&Key-Pair-Id=k",
    ].join("\t");
  const delivery = { at: at("2019-12-04T21:02:31Z"), path: PATH, bytes: 2390 };

  test("downloads count, in the order of columns that the log names", () => {
    expect(
      parse(
        "cloudfront",
        "#Version: 1.0",
        FIELDS,
        line(),
        line({ status: "206", path: `/${encodeURIComponent(PATH)}` }),
        line({ query: OWN }),
      ),
    ).toEqual(["skipped", "skipped", delivery, delivery, delivery]);
    const turned = `#Fields: ${FIELDS.split(" ").slice(1).toReversed().join(" ")}`;
    expect(parse("cloudfront", turned, line().split("\t").toReversed().join("\t"))).toEqual([
      "skipped",
      delivery,
    ]);
  });

  test("other requests do not count, and lines that miss a column are of another format", () => {
    expect(
      parse(
        "cloudfront",
        line(),
        FIELDS,
        line({ method: "HEAD" }),
        line({ status: "000" }),
        line({ status: "304" }),
        line({ bytes: "many" }),
        line({ date: "2019-13-40" }),
        "a line",
        "#Fields:",
        line(),
      ),
    ).toEqual([
      "unread",
      "skipped",
      "other",
      "other",
      "other",
      "unread",
      "unread",
      "unread",
      "skipped",
      "unread",
    ]);
  });
});
