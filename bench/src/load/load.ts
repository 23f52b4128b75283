/** What is asked for, and how hard. */
export interface Load {
  port: number;
  /** A GET sends no body. @default POST */
  method?: "GET" | "POST";
  path: string;
  headers: Record<string, string>;
  /** JSON text; each request sends it with `{n}` replaced by the next number below `numbers`. */
  body: string;
  numbers: number;
  /** Kept open; each has one request under way at a time. */
  connections: number;
  seconds: number;
  /**
   * Requests a second, sent when their time has come, whether the earlier ones are answered or not: then times count from
   * when a request was due. Not given: each connection asks again as soon as it has its answer.
   */
  perSecond?: number;
}

export interface Answered {
  requests: number;
  /** Answers by status; those that never came stand under 0. */
  statuses: Record<number, number>;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
}
