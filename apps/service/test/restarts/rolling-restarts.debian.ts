import { freePort } from "@stowage/dev-postgres";
import { inject, expect, test } from "vitest";
import { aProcess } from "../fixtures/a-process.js";
import { aProject } from "../fixtures/a-project.js";
import { aProxy, type ProxyName } from "../fixtures/a-proxy.js";
import { startSteadyLoad } from "./steady-load.js";

/*
 * `RESTARTS=20 REQUESTS=10000 npx pnpm test:debian @stowage/service restarts` is the long version.
 */
const RESTARTS = Number(process.env["RESTARTS"] ?? 4);
const REQUESTS = Number(process.env["REQUESTS"] ?? 2000);
const DRAIN_DELAY_SECONDS = process.env["DRAIN_DELAY_SECONDS"] ?? "2";

const PROXIES: ProxyName[] = ["nginx", "haproxy"];

test(
  "nginx and HAProxy with the files of deploy/ answer every request of a rolling restart with 200",
  { timeout: 60_000 + RESTARTS * 30_000 },
  async () => {
    const ports = await Promise.all([freePort(), freePort()]);
    const start = (port: number) =>
      aProcess({
        ...inject("servers"),
        PORT: String(port),
        DASHBOARD_DIR: "none",
        SWEEP_INTERVAL_MS: "0",
        DRAIN_DELAY_SECONDS,
      });
    const replicas = await Promise.all(ports.map(start));
    const addresses = ports.map((port) => `127.0.0.1:${port}`) as [string, string];
    const proxies = await Promise.all(PROXIES.map((name) => aProxy(name, addresses)));
    const { apiKey } = await aProject();
    const loads = proxies.map((proxy) => startSteadyLoad(proxy, apiKey));
    try {
      for (let restart = 0; restart < RESTARTS; restart++) {
        const which = restart % 2;
        replicas[which]!.child.kill("SIGTERM");
        expect(await replicas[which]!.exit).toBe(0);
        replicas[which] = await start(ports[which]!);
        // The docs say to wait until the proxies use the replica again. nginx does so one second after a refused connection.
        const name = `replica${which + 1}`;
        const states = () => proxies[1]!.log().match(new RegExp(`${name} is (UP|DOWN)`, "g"));
        await expect.poll(() => states()?.at(-1)).toBe(`${name} is UP`);
      }
      for (const load of loads) {
        await expect.poll(load.answered, { timeout: 120_000 }).toBeGreaterThan(REQUESTS);
      }
      const statuses = await Promise.all(loads.map((load) => load.stop()));
      const problems = proxies.flatMap(
        (proxy) => proxy.log().match(/.*(reset by peer|prematurely|no live).*/g) ?? [],
      );
      // A GET that met a closed connection was sent again, so only the log shows it.
      console.log(JSON.stringify({ nginx: statuses[0], haproxy: statuses[1], problems: problems.length }));
      expect(
        statuses.map((counts) => Object.keys(counts)),
        problems.slice(0, 20).join("\n"),
      ).toEqual([["200"], ["200"]]);
    } finally {
      await Promise.all(loads.map((load) => load.stop()));
      await Promise.all([...proxies.map((proxy) => proxy.close()), ...replicas.map((one) => one.kill())]);
    }
  },
);
