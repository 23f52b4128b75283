import fc from "fast-check";
import { FuzzCase } from "./fuzz-case.js";
import { oddHeader } from "./odd-values.js";

/** A request that an attempt to smuggle hides in the body of another one. It must get no answer of its own. */
const SMUGGLED = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n";

/** Generates bytes that are not, or not only, a valid request. */
export function rawBytes(valid: fc.Arbitrary<FuzzCase>): fc.Arbitrary<FuzzCase> {
  const text = fc.oneof(
    { weight: 3, arbitrary: brokenRequestLine },
    { weight: 3, arbitrary: brokenHeaders },
    { weight: 3, arbitrary: brokenChunks },
    { weight: 2, arbitrary: fc.tuple(valid, valid, fc.nat()).map(cutOrJoined) },
    {
      weight: 1,
      arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
    },
  );
  return fc.oneof(
    { weight: 4, arbitrary: inPieces(text) },
    { weight: 1, arbitrary: inPieces(twoLengths, 1) },
  );
}

function inPieces(texts: fc.Arbitrary<string>, maxAnswers?: number): fc.Arbitrary<FuzzCase> {
  return fc.tuple(texts, fc.integer({ min: 1, max: 6 })).map(([text, count]) => {
    const [method = "", target = ""] = text.split(" ", 2);
    const path = target.split(/[?#\r]/, 1)[0]!;
    return new FuzzCase({ method, path, isComplete: false, pieces: split(text, count), maxAnswers });
  });
}

function split(text: string, count: number): Buffer[] {
  const bytes = Buffer.from(text, "latin1");
  const size = Math.max(1, Math.ceil(bytes.length / count));
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * size, (index + 1) * size)).filter(
    (piece) => piece.length > 0,
  );
}

const path = fc.constantFrom("/api/storage/upload/", "/trpc/setup.status", "/auth/sign-out", "/healthz", "/");

const brokenRequestLine = fc
  .tuple(
    fc.constantFrom("GET", "POST", "get", "G E T", "", "\0", "PRI", "M".repeat(2000), "\r\n\r\nGET", " GET"),
    fc.oneof(
      path,
      fc.constantFrom("*", "", "/ /", "/\0", "/\r", "http://x/", "/".repeat(20_000), "//x/y", "\\", "x:1"),
    ),
    fc.constantFrom(
      "HTTP/1.1",
      "HTTP/1.0",
      "HTTP/0.9",
      "HTTP/2.0",
      "HTTP/9.9",
      "HTTP/1.",
      "",
      "http/1.1",
      "HTTP/1.1 x",
    ),
    fc.constantFrom("\r\n", "\n", "\r", "\r\r\n", ""),
  )
  .map(
    ([method, target, version, end]) =>
      `${method} ${target} ${version}${end}Host: x${end}Connection: close${end}${end}`,
  );

const brokenHeader = fc.constantFrom(
  "no colon",
  ": empty",
  "a b: c",
  "a : b",
  " folded: x",
  "a: b\r\n folded",
  "a:\0",
  "a: b\rc",
  "Host: y",
  "\u00e9: x",
  "Content-Length: 5",
  "Content-Length: +5",
  "Content-Length: 5, 5",
  "Content-Length: -1",
  "Content-Length: 0x5",
  "Content-Length: 99999999999999999999",
  "Content-Length: ",
  "Transfer-Encoding: gzip",
  "Transfer-Encoding: chunked, x",
  "Connection: close, upgrade",
  "Upgrade: h2c",
  "Upgrade: websocket",
  "Expect: 100-continue",
  "Expect: 200-ok",
  "TE: x",
  "HTTP2-Settings: AAMAAABkAAQAAP__",
  "Proxy-Connection: keep-alive",
  "Keep-Alive: timeout=-1",
  `X: ${"y".repeat(17_000)}`,
  Array.from({ length: 3000 }, (_, index) => `h${index}: x`).join("\r\n"),
  Array.from({ length: 500 }, () => "Cookie: a=b").join("\r\n"),
);

const brokenHeaders = fc
  .tuple(
    path,
    fc.array(
      fc.oneof(
        brokenHeader,
        oddHeader.map((pair) => pair.join(": ")),
      ),
      { minLength: 1, maxLength: 4 },
    ),
  )
  .map(([target, headers]) => `POST ${target} HTTP/1.1\r\nHost: x\r\n${headers.join("\r\n")}\r\n\r\n12345`);

const brokenChunks = fc
  .tuple(
    path,
    fc.array(
      fc.constantFrom(
        "5\r\nhello\r\n",
        "0\r\n\r\n",
        "5\r\nhel",
        "-1\r\n",
        "zz\r\n",
        "5;ext=1\r\nhello\r\n",
        "FFFFFFFFFFFFFFFF\r\n",
        "5\nhello\n",
        "05\r\nhello\r\n",
        "0x5\r\nhello\r\n",
        "\r\n",
        "0\r\nTrailer: x\r\n\r\n",
        `5;${"e".repeat(20_000)}\r\n`,
        "0\r\nContent-Length: 5\r\n\r\n",
        SMUGGLED,
      ),
      { minLength: 1, maxLength: 5 },
    ),
  )
  .map(
    ([target, chunks]) =>
      `POST ${target} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunks.join("")}`,
  );

/** Two lengths that disagree. A proxy and a server that choose different ones see different requests. */
const twoLengths = fc
  .tuple(
    path,
    fc.constantFrom(
      "chunked",
      "Chunked",
      "chunked ",
      " chunked",
      "\tchunked",
      "x, chunked",
      "chunked, identity",
      "\u000bchunked",
    ),
    fc.constantFrom(
      "Transfer-Encoding",
      "transfer-encoding",
      "Transfer-Encoding ",
      "Transfer_Encoding",
      "X: y\nTransfer-Encoding",
    ),
    fc.boolean(),
  )
  .map(([target, coding, name, isLengthFirst]) => {
    const body = `0\r\n\r\n${SMUGGLED}`;
    const lengths = [`Content-Length: ${body.length}`, `${name}: ${coding}`];
    const ordered = isLengthFirst ? lengths : lengths.toReversed();
    return `POST ${target} HTTP/1.1\r\nHost: x\r\n${ordered.join("\r\n")}\r\n\r\n${body}`;
  });

/** A valid request that is cut, or two that are sent without waiting for the first answer. */
function cutOrJoined([first, second, at]: [FuzzCase, FuzzCase, number]): string {
  const [one, two] = [first, second].map(({ pieces }) =>
    Buffer.concat([...pieces])
      .toString("latin1")
      .replace("Connection: close\r\n", ""),
  ) as [string, string];
  return at % 2 === 0 ? one.slice(0, at % (one.length + 1)) : one + two;
}
