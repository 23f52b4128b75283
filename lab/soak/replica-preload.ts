/** What a soak changes in the process of a replica, without changing the service. */
export interface ReplicaPreload {
  /** How far its clock is ahead, in milliseconds. Negative: behind. */
  clockAheadMs: number;
  /** The file to which it writes a {@link ReplicaSample} at each SIGUSR2. */
  sampleFile: string;
  /** Bytes that it retains ten times a second: a planted leak. @default 0 */
  leakBytes?: number;
}

/** What a replica retains, measured after a garbage collection. */
export interface ReplicaSample {
  heapBytes: number;
  /** Memory of buffers, outside of the heap. */
  externalBytes: number;
  rssBytes: number;
  /** Open files and sockets, without the connections of clients, who open more while the service is slow. */
  descriptors: number;
}

/** The NODE_OPTIONS of a replica. */
export function preloadOf({ clockAheadMs, sampleFile, leakBytes = 0 }: ReplicaPreload): string {
  const script = `
    import { readdirSync, renameSync, writeFileSync } from "node:fs";
    import { Server } from "node:net";
    import { setFlagsFromString } from "node:v8";
    import { runInNewContext } from "node:vm";
    const RealDate = Date;
    const aheadMs = ${clockAheadMs};
    globalThis.Date = class Date extends RealDate {
      constructor(...args) {
        if (args.length === 0) super(RealDate.now() + aheadMs);
        else super(...args);
      }
      static now() { return RealDate.now() + aheadMs; }
    };
    const accepted = new Set();
    const { emit } = Server.prototype;
    Server.prototype.emit = function (event, socket, ...rest) {
      if (event === "connection") accepted.add(socket.once("close", () => accepted.delete(socket)));
      return emit.call(this, event, socket, ...rest);
    };
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc");
    process.on("SIGUSR2", () => {
      collect();
      collect();
      const { heapUsed, external, rss } = process.memoryUsage();
      const descriptors = readdirSync("/proc/self/fd").length - accepted.size;
      const file = ${JSON.stringify(sampleFile)};
      writeFileSync(file + ".part", JSON.stringify({ heapBytes: heapUsed, externalBytes: external, rssBytes: rss, descriptors }));
      renameSync(file + ".part", file);
    });
    if (${leakBytes} > 0) {
      const kept = [];
      setInterval(() => kept.push(Array.from({ length: ${leakBytes} / 8 }, Math.random)), 100).unref();
    }`;
  return `--import data:text/javascript,${encodeURIComponent(script)}`;
}
