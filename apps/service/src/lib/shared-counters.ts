/** Counts that all replicas share, for their rate limits. */
export interface SharedCounters {
  /**
   * Adds to a count. `windowMs` after the first addition, the count starts again.
   *
   * @param amount a whole number. @default 1
   * @returns null if the store does not answer in time. The replica then counts alone. It never throws
   */
  add(name: string, windowMs: number, amount?: number): Promise<SharedCount | null>;
  close(): void;
}

export interface SharedCount {
  count: number;
  /** When the count starts again. */
  remainingMs: number;
}
