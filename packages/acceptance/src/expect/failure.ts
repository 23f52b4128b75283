/** The answer that a failure is about. */
export interface Received {
  readonly from: "service" | "storage";
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body. Undefined if it is not JSON. */
  readonly json: unknown;
  readonly requestId: string | null;
  /** Whether an earlier answer had the same X-Request-Id. The service makes a new one for each request. */
  readonly isRepeated: boolean;
}

/** What a failure is about, where the answer alone does not say it. `diagnose` turns it into a cause. */
export type Hint = { kind: "header"; name: string } | { kind: "locale" } | { kind: "cors"; origin: string };

/** An answer that differs from what the case expects. */
export class Failure extends Error {
  override readonly name = "Failure";
  /** The request, as a person would write it down. */
  readonly asked: string;
  readonly expected: string;
  readonly got: string;
  /** Undefined if no answer arrived, or if the case compared several answers. */
  readonly answer: Received | undefined;
  readonly hint: Hint | undefined;

  constructor(facts: { asked: string; expected: string; got: string; answer?: Received; hint?: Hint }) {
    super(`${facts.asked}: expected ${facts.expected}, got ${facts.got}`);
    this.asked = facts.asked;
    this.expected = facts.expected;
    this.got = facts.got;
    this.answer = facts.answer;
    this.hint = facts.hint;
  }
}

/** No answer arrived: the connection failed, broke off or took too long. */
export class NoAnswer extends Failure {
  readonly to: "service" | "storage";
  /** The code of the error, such as ECONNREFUSED, or `timeout` or `cut off`. */
  readonly code: string;

  constructor(facts: { asked: string; to: "service" | "storage"; code: string; reason: string }) {
    super({ asked: facts.asked, expected: "an answer", got: facts.reason });
    this.to = facts.to;
    this.code = facts.code;
  }
}

/** The case cannot be asked here. The reason completes the sentence "left out: …". */
export class LeftOut extends Error {
  override readonly name = "LeftOut";
}
