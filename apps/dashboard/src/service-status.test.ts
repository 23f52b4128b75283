import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createServiceStatus, type Readiness, type ServiceStatus } from "./service-status.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const down: Readiness = { isAnswered: true, problem: "The database does not answer." };
const ready: Readiness = { isAnswered: true, problem: null };

function aStatus({ online = true } = {}) {
  const service = { readiness: down as Readiness, isServing: true, checks: 0 };
  const status = createServiceStatus({
    readReadiness: async () => {
      service.checks++;
      return service.readiness;
    },
    isOnline: () => online,
    random: () => 0,
  });
  status.onServiceBack(async () => service.isServing);
  const seen: ServiceStatus["state"][] = [];
  status.subscribe(() => seen.push(status.get().state));
  return { service, status, seen };
}

const passed = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test("a failed call makes it ask what is down, and it ends when the service is ready", async () => {
  const { service, status, seen } = aStatus();
  status.reportFailure();
  await passed(0);
  expect(status.get()).toEqual({ state: "failing", problem: "The database does not answer." });
  service.readiness = ready;
  await passed(1000);
  expect(seen).toEqual(["checking", "failing", "answering"]);
  await passed(60_000);
  expect(service.checks).toBe(2);
});

test("waits twice as long after each check, and at most 15 s", async () => {
  const { service, status } = aStatus();
  status.reportFailure();
  await passed(0);
  const checksAfter: number[] = [];
  for (const ms of [1000, 2000, 4000, 8000, 15_000, 15_000]) {
    await passed(ms - 1);
    const before = service.checks;
    await passed(1);
    checksAfter.push(service.checks - before);
  }
  expect(checksAfter).toEqual([1, 1, 1, 1, 1, 1]);
  expect(service.checks).toBe(7);
});

test("many failed calls start one check", async () => {
  const { service, status } = aStatus();
  for (let i = 0; i < 10; i++) status.reportFailure();
  await passed(0);
  for (let i = 0; i < 10; i++) status.reportFailure();
  expect(service.checks).toBe(1);
});

test("a check by hand happens at once", async () => {
  const { service, status } = aStatus();
  status.reportFailure();
  await passed(15_000);
  service.readiness = ready;
  status.checkNow();
  await passed(0);
  expect(status.get().state).toBe("answering");
});

test("a service that is ready but fails its calls is not said to answer", async () => {
  const { service, status } = aStatus();
  Object.assign(service, { readiness: ready, isServing: false });
  status.reportFailure();
  await passed(0);
  expect(status.get()).toEqual({ state: "failing", problem: null });
  service.isServing = true;
  await passed(1000);
  expect(status.get().state).toBe("answering");
});

test("a call that fails again after each recovery makes it wait longer each time", async () => {
  const { service, status, seen } = aStatus();
  service.readiness = ready;
  // The page repeats its calls as soon as the service answers.
  status.subscribe(() => {
    if (status.get().state === "answering") setTimeout(() => status.reportFailure(), 100);
  });
  status.reportFailure();
  await passed(60_000);
  const recoveries = seen.filter((state) => state === "answering").length;
  expect(recoveries).toBeLessThan(10);
  expect(recoveries).toBeGreaterThan(4);
});

test("a relapse says at once what is down", async () => {
  const { service, status } = aStatus();
  service.readiness = ready;
  status.reportFailure();
  await passed(1000);
  service.readiness = down;
  status.reportFailure();
  await passed(0);
  expect(status.get()).toEqual({ state: "failing", problem: "The database does not answer." });
  service.readiness = ready;
  await passed(1000);
  expect(status.get().state).toBe("answering");
});

test("the next outage starts with short pauses again", async () => {
  const { service, status } = aStatus();
  status.reportFailure();
  await passed(40_000);
  service.readiness = ready;
  await passed(15_000);
  expect(status.get().state).toBe("answering");
  await passed(30_000);
  service.readiness = down;
  status.reportFailure();
  await passed(0);
  service.readiness = ready;
  await passed(1000);
  expect(status.get().state).toBe("answering");
});

test("a failed call long after an outage makes it ask at once", async () => {
  const { service, status } = aStatus();
  service.readiness = ready;
  for (let outages = 0; outages < 5; outages++) {
    status.reportFailure();
    await passed(0);
    expect(status.get().state).toBe("answering");
    await passed(30_000);
  }
  expect(service.checks).toBe(5);
});

test.each([
  [true, "unreachable"],
  [false, "offline"],
])("a service that does not answer while the browser's network is %s is %s", async (online, state) => {
  const { service, status } = aStatus({ online });
  service.readiness = { isAnswered: false };
  status.reportFailure();
  await passed(0);
  expect(status.get().state).toBe(state);
});

test("until waits for its condition", async () => {
  const { service, status } = aStatus();
  status.reportFailure();
  let isDone = false;
  void status.until(({ state }) => state === "answering").then(() => (isDone = true));
  await passed(500);
  expect(isDone).toBe(false);
  service.readiness = ready;
  await passed(500);
  expect(isDone).toBe(true);
});
