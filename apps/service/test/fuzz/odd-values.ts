import fc from "fast-check";

/** A text that no log may contain. Generated headers, paths and values use it. */
export const CANARY = "canary5f2e81";

/** Splits a list at blanks, one word for each value. */
const words = (list: string): string[] => list.trim().split(/\s+/);

const repeated = (text: string, counts: number[]) => counts.map((count) => text.repeat(count));

/** Texts that are known to break programs. */
const texts = [
  ...words(String.raw`__proto__ constructor toString hasOwnProperty then length null undefined NaN ../../etc/passwd ..\..\x
    %00 %2e%2e%2f % %zz \ \u0000 <script>alert(1)</script> =1+1 ${"${jndi:ldap://x}"} {{7*7}} _% \x00 $1 ()[]{}*+?. 0 -1 1e999
    9007199254740993 0x10 1_000 ١٢٣ 2026-02-30 0000-00-00 275761-01-01 2026-11-23T00:00:00.000Z -000001-01-01T00:00:00Z
    infinity -infinity now epoch 294277-01-01 👩‍👩‍👧‍👦 ﷺ İ ß`),
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\r\n",
  "\u001b[31m",
  "\u007f",
  "\u0085",
  "\u2028",
  "\ufeff",
  "\ufffe",
  "\ud800",
  "\udc00x",
  "\u202egnp.exe",
  "'; drop table files; --",
  "a%' or 1=1",
  ...repeated("e\u0301", [200]),
  ...repeated("\u0301", [3000]),
  ...repeated("a", [254, 255, 256, 1024, 1025, 9000]),
  ...repeated("é", [255, 512, 4000]),
  CANARY,
];

export const oddText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...texts),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 20 }),
);

const numbers = [
  -1,
  -0,
  0,
  1,
  0.5,
  1e21,
  -1e21,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  2 ** 53 + 2,
  2 ** 63,
  2 ** 64,
  5e-324,
  Number.MAX_VALUE,
];

export const oddNumber: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(...numbers),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

const oddMembers = fc.array(fc.tuple(oddText, fc.oneof(oddText, oddNumber)), { maxLength: 20 });

/** Any JSON value. Objects can have members such as `__proto__`, which `Object.fromEntries` makes and an assignment would not. */
export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: oddText },
  { weight: 2, arbitrary: oddNumber },
  { weight: 2, arbitrary: fc.constantFrom(null, true, false, [], {}, [[]], [null], [{}]) },
  { weight: 2, arbitrary: fc.array(fc.oneof(oddText, oddNumber), { maxLength: 5 }) },
  { weight: 1, arbitrary: fc.array(oddText, { minLength: 999, maxLength: 1002 }) },
  { weight: 2, arbitrary: oddMembers.map((members) => Object.fromEntries(members)) },
);

const headerValues = [
  ...words(`, ; = " "unclosed */* text/html application/json ^ [::1 [::1]:99999 1.2.3.999 user:pass@host host:-1 %00 xn-- ..
    host/x?y#z gzip chunked identity bytes=0- bytes=9-1 bytes=a none cross-site Bearer * W/"x" ${CANARY} ${"9".repeat(400)}`),

  "",
  "a=b; c=d",
  "\u00ff\u00fe",
  "a b",
  "br, deflate",
  "Bearer ",
  "bearer x y",
  "Basic Og==",
  "Basic %%%",
  "a/b; c",
  "application/json; charset=utf-16",
  "application/json; charset=",
  "multipart/form-data; boundary=",
  "Digest x",
  "AWS4-HMAC-SHA256 x",
  "Thu, 01 Jan 1970 00:00:00 GMT",
  "Fri, 99 Foo 20x6",
];

/** The value of a header: Latin-1 without line ends, which would start another header. */
const oddHeaderValueOfText = oddText.map((text) =>
  text.replaceAll(/[^\t -~\u0080-\u00ff]/g, "?").slice(0, 4000),
);
export const oddHeaderValue: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...headerValues),
  oddHeaderValueOfText,
);

/** Headers that some part of a server reads. */
const headerNames =
  words(`Host Content-Type Content-Encoding Accept Accept-Encoding Cookie Origin Referer Authorization
  X-Forwarded-For X-Forwarded-Host X-Forwarded-Proto Forwarded X-Real-IP X-Request-Id Idempotency-Key Range If-Range If-Match
  If-None-Match If-Modified-Since Last-Event-Id TE Trailer Via User-Agent Sec-Fetch-Site trpc-accept Date Content-MD5
  Access-Control-Request-Method Access-Control-Request-Headers Max-Forwards X-HTTP-Method-Override Accept-Version x-amz-date
  x-amz-content-sha256 x-amz-copy-source x-amz-meta-a x-amz-acl Content-Disposition Content-Range Cache-Control Early-Data`);
const oddHeaderNames = ["__proto__", "constructor", "X".repeat(300), "toString", "!#$%&'*+-.^_`|~"];

export const oddHeader: fc.Arbitrary<[name: string, value: string]> = fc.tuple(
  fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...headerNames) },
    { weight: 1, arbitrary: fc.constantFrom(...oddHeaderNames) },
  ),
  oddHeaderValue,
);

/** Paths that routers and proxies read differently. */
const pathParts =
  words(String.raw`%00 / // /.. /../ /. /%2e%2e/ %2F %5c \ ;a=b %zz % %c0%ae %ff ? # /%20 /* /:path /__proto__
  /constructor .json %F0%9F%92%A9 é ÿ ${CANARY} ${"a".repeat(2001)}`);
export const oddPathPart: fc.Arbitrary<string> = fc.constantFrom(...pathParts);

const manyParameters = Array.from({ length: 1500 }, (_, index) => `a${index}=`).join("&");
const queries =
  words(`& = &&= a a=b&a=c __proto__=1 __proto__[x]=1 constructor=1 a[]=1 %=% a=%zz limit=1e3 limit=NaN limit=-1 limit=
  limit=1&limit=2 limit[]=1 cursor= cursor=e30 cursor=W10 batch=1 batch=2 input= input={ input=null input=[] input=%7B%7D
  input=1e999 connectionParams={ connectionParams=null connectionParams={} lastEventId=x secret=x uploads acl
  x=${"a".repeat(9000)} input=${"[".repeat(5000)} ${manyParameters}`);
const encode = (text: string) => encodeURIComponent(text.toWellFormed());

/** Query parameters, written as they are. */
export const oddQuery: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom("", ...queries),
  fc.tuple(oddText, oddText).map(([name, value]) => `${encode(name)}=${encode(value)}`),
);
