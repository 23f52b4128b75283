import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { aCertificate } from "../fixtures/a-certificate.js";
import { anOutageProxy, type OutageProxy } from "../fixtures/an-outage-proxy.js";
import { aReceiver, type Received, withStatus } from "../fixtures/a-receiver.js";
import { names, PUBLIC_HOST } from "./fake-internet.js";

/** What a receiver does wrong on one of its paths. */
export type Receiving = "unreliable" | "gone" | "rebinding";

/** A receiver with three endpoints that behave badly until they recover. */
export interface HostileReceiver {
  urls: Record<Receiving, string>;
  /** The PEM of the certificate. */
  certificate: string;
  /** Every request, also those that it did not accept. */
  received: Received[];
  /** Requests that it has answered with 204. Only these have arrived. */
  accepted: Received[];
  /** Connections to 127.0.0.1, and requests that a redirect led to. */
  trapped: string[];
  outage: OutageProxy;
  /** Resolves when the unreliable endpoint has a request: before its answer, which then never comes, or after its answer of 204. */
  reaches(moment: "before" | "after"): Promise<void>;
  /** From now on every request is accepted. */
  recover(): void;
  close(): Promise<void>;
}

const SLOW_MS = 1500;

export async function aHostileReceiver(): Promise<HostileReceiver> {
  const { certificate, key } = aCertificate("*.hooks.example");
  const tls = { cert: certificate, key: key.export({ type: "pkcs8", format: "pem" }).toString() };
  const receiver = await aReceiver({ tls });
  const outage = await anOutageProxy(receiver.url, PUBLIC_HOST);
  const { port } = new URL(outage.url);
  const trapped: string[] = [];
  const trap = createServer((socket) => {
    trapped.push("a connection to 127.0.0.1");
    socket.destroy();
  }).listen(Number(port), "127.0.0.1");
  await once(trap, "listening");

  const accepted: Received[] = [];
  let hasRecovered = false;
  let armed: { moment: "before" | "after"; reached: () => void } | undefined;
  const accept: typeof receiver.answer = (response, received) => {
    accepted.push(received);
    withStatus(204)(response, received);
  };
  const faults: (typeof receiver.answer)[] = [
    withStatus(500),
    withStatus(302, { location: `https://${names.receiver}:${port}/trap` }),
    (response) => void response.socket?.destroy(),
    (response, received) => void sleep(SLOW_MS).then(() => accept(response, received)),
  ];
  let requests = 0;
  receiver.answer = (response, received) => {
    if (received.path === "/trap") trapped.push("a redirect was followed");
    if (received.path === "/gone" && !hasRecovered) return withStatus(410)(response, received);
    if (received.path !== "/unreliable") return accept(response, received);
    if (armed) {
      const { moment, reached } = armed;
      armed = undefined;
      if (moment === "after") {
        response.on("finish", reached);
        accept(response, received);
      } else reached();
      return;
    }
    const fault = hasRecovered ? undefined : faults[++requests % (5 * faults.length)];
    (fault ?? accept)(response, received);
  };
  const at = (name: string, path: Receiving) => `https://${name}:${port}/${path}`;
  return {
    urls: {
      unreliable: at(names.receiver, "unreliable"),
      gone: at(names.receiver, "gone"),
      rebinding: at(names.rebinding, "rebinding"),
    },
    certificate,
    received: receiver.received,
    accepted,
    trapped,
    outage,
    reaches: (moment) => new Promise((reached) => (armed = { moment, reached })),
    recover: () => void (hasRecovered = true),
    async close() {
      await outage.close();
      await new Promise((resolve) => trap.close(resolve));
      await receiver.close();
    },
  };
}
