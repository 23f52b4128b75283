/** A load: the request and its rate. */
export interface Load {
  port: number;
  /** A GET sends no body. @default POST */
  method?: "GET" | "POST";
  path: string;
  /** `{key}` is replaced by the next of `keys`. */
  headers: Record<string, string>;
  /** API keys that the requests use in turns. @default none */
  keys?: string[];
  /** JSON text. Each request replaces `{n}` by the next number below `numbers`. */
  body: string;
  numbers: number;
  /** Kept open. Each has at most one running request. */
  connections: number;
  seconds: number;
  /**
   * Requests per second, sent when they are due, even if earlier ones have no answer. Times then count from the due time. Without it,
   * each connection sends its next request when it has its answer.
   */
  perSecond?: number;
}

export interface Answered {
  requests: number;
  /** The number of answers by status. 0 counts missing answers. */
  statuses: Record<number, number>;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
}
