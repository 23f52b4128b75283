/** Lets everybody through while it is open, and lets those wait who come while it is closed. */
export interface Gate {
  pass(): Promise<void>;
  close(): void;
  open(): void;
}

export function aGate(): Gate {
  let waiting: (() => void)[] | undefined;
  return {
    pass: () => new Promise((resolve) => (waiting ? waiting.push(resolve) : resolve())),
    close: () => void (waiting ??= []),
    open() {
      const all = waiting ?? [];
      waiting = undefined;
      for (const go of all) go();
    },
  };
}
