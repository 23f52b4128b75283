import { readdir, readFile } from "node:fs/promises";
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { getHeapSpaceStatistics, getHeapStatistics } from "node:v8";
import type { Registry } from "prom-client";
import { addCounter, addGauge } from "./families.js";

/** The delay is measured by a timer with this interval, which is a part of each measured value. */
const RESOLUTION_MS = 20;
const NANOSECONDS = 1e9;

/** The process and its event loop. The names follow OpenTelemetry, and for the process every Prometheus client. */
export function addRuntimeMetrics(registry: Registry, { version }: { version: string }): void {
  addTarget(registry, version);
  addEventLoop(registry);
  addHeap(registry);
  addProcess(registry);
}

function addTarget(registry: Registry, version: string): void {
  const target = addGauge(registry, {
    name: "target_info",
    help: "1, with the version of the service and of Node.js.",
    labelNames: ["service_name", "service_version", "process_runtime_version"] as const,
  });
  const labels = { service_name: "stowage", service_version: version };
  target.set({ ...labels, process_runtime_version: process.versions.node }, 1);
}

function addEventLoop(registry: Registry): void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const seconds = (nanoseconds: number) =>
    Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION_MS / 1000) : 0;
  const add = (statistic: string, help: string, read: () => number) => {
    const name = `nodejs_eventloop_delay_${statistic}_seconds`;
    return addGauge(registry, {
      name,
      help: `${help} since the last scrape.`,
      collect() {
        this.set(read());
      },
    });
  };
  add("mean", "Mean delay of the event loop", () => seconds(delay.mean));
  add("p50", "Median delay of the event loop", () => seconds(delay.percentile(50)));
  add("p99", "99th percentile of the delay of the event loop", () => seconds(delay.percentile(99)));
  // The registry collects in the order of the registrations, so this one resets the histogram after all have read it.
  add("max", "Longest delay of the event loop", () => {
    const max = seconds(delay.max);
    delay.reset();
    return max;
  });

  let last = performance.eventLoopUtilization();
  addGauge(registry, {
    name: "nodejs_eventloop_utilization_ratio",
    help: "Share of the time in which the event loop was busy since the last scrape. At 1 the process can do no more.",
    collect() {
      const current = performance.eventLoopUtilization();
      this.set(performance.eventLoopUtilization(current, last).utilization);
      last = current;
    },
  });
}

function addHeap(registry: Registry): void {
  addGauge(registry, {
    name: "v8js_memory_heap_used_bytes",
    help: "Used memory of the JavaScript heap.",
    labelNames: ["v8js_heap_space_name"] as const,
    collect() {
      for (const { space_name: space, space_used_size: bytes } of getHeapSpaceStatistics()) {
        this.set({ v8js_heap_space_name: space }, bytes);
      }
    },
  });
  addGauge(registry, {
    name: "stowage_heap_limit_bytes",
    help: "The size of the JavaScript heap at which the process ends.",
    collect() {
      this.set(getHeapStatistics().heap_size_limit);
    },
  });
}

function addProcess(registry: Registry): void {
  addCounter(registry, {
    name: "process_cpu_seconds_total",
    help: "CPU time of the process, of user and system together.",
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  addGauge(registry, {
    name: "process_resident_memory_bytes",
    help: "Memory of the process that is in RAM.",
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  addGauge(registry, {
    name: "process_start_time_seconds",
    help: "When the process started, as Unix time.",
  }).set(Math.round((Date.now() - process.uptime() * 1000) / 1000));
  addFileDescriptors(registry);
}

/** Only Linux has these files. Elsewhere the two metrics have no value. */
function addFileDescriptors(registry: Registry): void {
  const add = (name: string, help: string, read: () => Promise<number | undefined>) => {
    const gauge = addGauge(registry, {
      name,
      help,
      async collect() {
        const value = await read().catch(() => undefined);
        if (value !== undefined) this.set(value);
      },
    });
    gauge.remove();
  };
  add(
    "process_open_fds",
    "Open files and sockets of the process.",
    async () => (await readdir("/proc/self/fd")).length,
  );
  add("process_max_fds", "How many files and sockets the process may open.", async () => {
    const [, limit] = /^Max open files +(\d+)/m.exec(await readFile("/proc/self/limits", "utf8")) ?? [];
    return limit === undefined ? undefined : Number(limit);
  });
}
