import { isIP, isIPv6 } from "node:net";
import { limits as schemaLimits } from "@stowage/schemas";
import * as z from "zod";
import { wholeNumber } from "./parsers.js";
import { setting, type SettingGroup } from "./setting.js";

export const address = {
  HOST: setting(z.string().default("127.0.0.1"), {
    value: "address",
    meaning:
      "Where the service listens. 127.0.0.1 accepts connections only from this machine. Use 0.0.0.0 in a container.",
    neededBy: "services that other machines call",
  }),
  PORT: setting(wholeNumber(0, 65535).default(4000), {
    value: "port",
    meaning: "Where the service listens. 0: a free port.",
    neededBy: "machines where 4000 is in use",
  }),
  TRUSTED_PROXIES: setting(
    z
      .string()
      .transform((list) => list.split(",").flatMap((each) => each.trim() || []))
      .refine((list) => list.every(isAddressOrNetwork), {
        error: "must be IP addresses or networks, separated by commas",
      })
      .default([]),
    {
      value: "IP addresses or networks (`10.0.0.0/8`), separated by commas",
      meaning: "The proxies whose `X-Forwarded-For` header is trusted.",
      neededBy: "services behind a [proxy](proxies.md)",
    },
  ),
  DRAIN_DELAY_SECONDS: setting(wholeNumber(0, 600).default(0), {
    value: "seconds",
    meaning:
      "After SIGTERM, `/readyz` answers 503 and all other requests work for so long, so that load balancers stop sending requests.",
    neededBy: "replicas behind a [load balancer](proxies.md)",
  }),
  DRAIN_SECONDS: setting(wholeNumber(0, 600).default(15), {
    value: "seconds",
    meaning: "After that, running requests may take so long. Then the process exits.",
    neededBy: "slow requests",
  }),
} satisfies SettingGroup;

const countLimit = wholeNumber(0, schemaLimits.countLimit).optional();

export const uploads = {
  DEFAULT_QUOTA_BYTES: setting(wholeNumber(0, Number.MAX_SAFE_INTEGER).optional(), {
    value: "bytes",
    ifUnset: "no quota",
    meaning: "The [quota](quotas.md) of a tenant if neither the tenant nor its project has one.",
    neededBy: "installations with one quota for all projects",
  }),
  DEFAULT_MAX_FILES: setting(countLimit, {
    value: "files",
    ifUnset: "no limit",
    meaning:
      "How many files a tenant may have, with open uploads, if neither it, its [plan](tenant-limits.md) nor its project says so.",
    neededBy: "installations with one limit for all projects",
  }),
  DEFAULT_MAX_OPEN_UPLOADS: setting(countLimit, {
    value: "uploads",
    ifUnset: "no limit",
    meaning: "The same, for uploads that are neither stored nor ended.",
    neededBy: "installations with one limit for all projects",
  }),
  DEFAULT_UPLOADS_PER_MINUTE: setting(countLimit, {
    value: "uploads per minute",
    ifUnset: "no limit",
    meaning: "The same, for the uploads that a tenant requests.",
    neededBy: "installations with one limit for all projects",
  }),
  UPLOAD_SESSION_DAYS: setting(wholeNumber(1, 30).default(7), {
    value: "days",
    meaning:
      "An [upload by parts](large-files.md) that is not complete ends after so many days. Its parts are removed and its reservation is returned.",
    neededBy: "uploads that take longer than a week",
  }),
  SWEEP_INTERVAL_MS: setting(wholeNumber(0, 60_000).default(1000), {
    value: "milliseconds",
    meaning:
      "Time between two sweeps, which look into storage for uploads that nothing has reported. 0: this replica never sweeps.",
    neededBy: "replicas that only answer requests",
  }),
} satisfies SettingGroup;

export const limits = {
  RATE_LIMIT_PER_MINUTE: setting(wholeNumber(0, 100_000_000).default(60_000), {
    value: "requests per minute",
    meaning:
      "[Limit](limits.md) of each project, and of each client that calls `/trpc` or visits [share links](sharing.md). A client is an IPv4 address or an IPv6 /64 network. 0: no limit.",
    neededBy: "installations with more or less traffic",
  }),
  FAILING_KEYS_PER_MINUTE: setting(wholeNumber(0, 100_000_000).default(300), {
    value: "failures per minute",
    meaning:
      "[Limit](limits.md) of each client that sends a missing, malformed or unknown API key, and of each that visits share links that do not work. Keys that the replica knows still work. 0: no limit.",
    neededBy: "installations with many clients behind one address",
  }),
  RATE_LIMIT_STORE: setting(
    z.url({ protocol: /^rediss?$/, error: "must be a redis or rediss URL" }).optional(),
    {
      value: "`redis://…`, or `rediss://…` with TLS",
      ifUnset: "each replica counts alone",
      meaning: "A Redis where replicas count the limits per minute together.",
      neededBy: "exact limits with several replicas",
    },
  ),
  CONNECTIONS_PER_CLIENT: setting(wholeNumber(0, 1_000_000).default(1000), {
    value: "connections",
    meaning:
      "Open connections of each client. More are closed. Addresses of `TRUSTED_PROXIES` have no limit. 0: no limit.",
    neededBy: "backends with many connections, or strangers who can reach the service",
  }),
} satisfies SettingGroup;

function isAddressOrNetwork(text: string): boolean {
  const [, host = "", bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  return isIP(host) !== 0 && Number(bits ?? 0) <= (isIPv6(host) ? 128 : 32);
}
