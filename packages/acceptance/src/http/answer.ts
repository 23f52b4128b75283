import { Failure, type Received, type Hint } from "../expect/failure.js";
import { findDifference, show } from "../expect/match.js";

/** An answer of the service or of storage, with the request that it answers. */
export class Answer implements Received {
  readonly from: "service" | "storage";
  /** The request as a person would write it down. It contains no secret. */
  readonly asked: string;
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  readonly isRepeated: boolean;

  constructor(facts: {
    from: "service" | "storage";
    asked: string;
    status: number;
    headers: Headers;
    bytes: Uint8Array;
    isRepeated: boolean;
  }) {
    this.from = facts.from;
    this.asked = facts.asked;
    this.status = facts.status;
    this.headers = facts.headers;
    this.bytes = facts.bytes;
    this.isRepeated = facts.isRepeated;
  }

  get text(): string {
    return new TextDecoder().decode(this.bytes);
  }

  get json(): unknown {
    try {
      return JSON.parse(this.text);
    } catch {
      return undefined;
    }
  }

  get requestId(): string | null {
    return this.headers.get("x-request-id");
  }

  /** Expects the status 200 and a JSON body of this shape. @returns the body */
  ok<Body>(shape: unknown = {}): Body {
    this.hasStatus(200);
    return this.#parse<Body>(this.text, shape);
  }

  /** Expects that one line of an answer is JSON of this shape. @returns the line */
  line<Line>(text: string, shape: unknown): Line {
    return this.#parse<Line>(text, shape);
  }

  #parse<Value>(text: string, shape: unknown): Value {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.fail("JSON", `${show(text)}, which is not JSON`);
    }
    const difference = findDifference(shape, value);
    if (difference === null) return value as Value;
    const where = difference.path ? `${difference.path} = ` : "";
    this.fail(`${where}${difference.expected}`, `${where}${difference.got}`);
  }

  /** Expects an error of the catalogue: the status, the code in X-Error-Code and a body that has only `detail`. */
  refused(status: number, code: string, detail?: string): void {
    this.hasStatus(status);
    const body = this.json as { detail?: unknown } | undefined;
    const isError = typeof body?.detail === "string" && Object.keys(body).join() === "detail";
    if (!isError) this.fail('the body {"detail": "…"} and no other member', show(body ?? this.text));
    this.hasHeader("x-error-code", code);
    if (detail !== undefined && body!.detail !== detail) this.fail(show({ detail }), show(body));
  }

  hasStatus(...expected: number[]): void {
    if (expected.includes(this.status)) return;
    this.fail(`status ${expected.join(" or ")}`, `status ${this.status}`);
  }

  hasHeader(name: string, expected: string | RegExp, hint: Hint = { kind: "header", name }): void {
    const value = this.headers.get(name);
    const isExpected = typeof expected === "string" ? value === expected : expected.test(value ?? "");
    if (isExpected) return;
    const wanted = typeof expected === "string" ? expected : `like ${expected.source}`;
    this.fail(
      `the header ${titleCase(name)}: ${wanted}`,
      value === null ? `no header ${titleCase(name)}` : value,
      hint,
    );
  }

  /** Expects a condition that no other method covers. @param expected completes the sentence "expected …" */
  must(expected: string, holds: boolean, got = this.summary): void {
    if (!holds) this.fail(expected, got);
  }

  fail(expected: string, got: string, hint?: Hint): never {
    const more = got === this.summary || got.startsWith("status ") ? "" : `, with status ${this.status}`;
    const what = got.startsWith("status ") ? this.summary : `${got}${more}`;
    throw new Failure({ asked: this.asked, expected, got: what, answer: this, ...(hint && { hint }) });
  }

  /** Status, error code and the start of the body. */
  get summary(): string {
    const code = this.headers.get("x-error-code");
    const body = this.bytes.length === 0 ? "an empty body" : show(this.json ?? this.text);
    return `status ${this.status}${code ? ` with the code ${code}` : ""}, ${body}`;
  }
}

function titleCase(header: string): string {
  return header.replaceAll(/(^|-)\w/g, (letter) => letter.toUpperCase());
}
