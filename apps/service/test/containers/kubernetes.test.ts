import { describe, expect, test } from "vitest";
import { readConfig, readMigrationConfig } from "#config.js";
import { settingNames } from "#settings/settings.js";
import { expectKnownProperties, type Manifest, validate } from "./manifest.js";
import { readText, readYaml, readYamlDocuments } from "./read-files.js";

const { resources, images } = readYaml<{ resources: string[]; images: { name: string }[] }>(
  "deploy/kubernetes/kustomization.yaml",
);
const manifests = resources.flatMap((file) => readYamlDocuments<Manifest>(`deploy/kubernetes/${file}`));
const find = (kind: string, name = "stowage") =>
  manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name)!;
const settings = find("ConfigMap").data!;

/** The pods, as [name, pod, container]. */
const pods = manifests.flatMap((manifest) => {
  const pod = manifest.spec?.template?.spec;
  return pod ? [[manifest.metadata.name, pod, pod.containers[0]!] as const] : [];
});

/** The Secret "stowage" of docs/containers.md. */
const secret = {
  DATABASE_URL: "postgres://stowage_app:secret@database/stowage",
  S3_ACCESS_KEY_ID: "key",
  S3_SECRET_ACCESS_KEY: "secret",
  SIGN_IN_SECRET: "0123456789abcdef0123456789abcdef",
};

describe.each(manifests.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const))(
  "%s",
  (_, manifest) => {
    test("has the form that Kubernetes demands", () => {
      expect(() => validate(manifest)).not.toThrow();
    });

    test("has only properties that Kubernetes knows", () => {
      expectKnownProperties(manifest);
    });
  },
);

test("one image runs the service, the migration and the worker", () => {
  expect(pods.map(([name]) => name).toSorted()).toEqual(["stowage", "stowage-migrate", "stowage-worker"]);
  expect(new Set(pods.map(([, , { image }]) => image))).toEqual(new Set(images.map(({ name }) => name)));
});

test.each(pods)("%s runs without root, privileges and writable files", (_, pod, container) => {
  expect(pod.securityContext).toMatchObject({
    runAsNonRoot: true,
    runAsUser: 1000,
    seccompProfile: { type: "RuntimeDefault" },
  });
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ["ALL"] },
  });
  expect(pod.automountServiceAccountToken).toBe(false);
});

test.each(pods)(
  "%s asks for memory and CPU time, and has a limit of memory",
  (_, __, { resources: asked }) => {
    expect(asked).toMatchObject({
      requests: { cpu: expect.any(String), memory: expect.any(String) },
      limits: { memory: expect.any(String) },
    });
  },
);

test("the worker has the memory that docs/serving.md plans for 3 cores, also in the chart", () => {
  const plan = /Plan (\d+) MB for the worker, up to (\d+) MB for each core, and (\d+) MB for that one/;
  const [, worker, core, oneMore] = plan.exec(readText("docs/serving.md"))!.map(Number);
  const { worker: chart } = readYaml<{ worker: { resources: object } }>("deploy/helm/stowage/values.yaml");
  const [, , { resources }] = pods.find(([name]) => name === "stowage-worker")!;
  expect(chart.resources).toEqual(resources);
  const [, gibibytes] = /^(\d+)Gi$/.exec(String(resources!.limits!["memory"]))!.map(Number);
  expect(gibibytes! * 1024).toBeGreaterThanOrEqual(worker! + 3 * core! + oneMore!);
});

test.each(pods)("%s gets only settings that the service reads", (_, __, { env = [], envFrom = [] }) => {
  expect(settingNames).toEqual(expect.arrayContaining(env.map(({ name }) => name)));
  const names = envFrom.map((source) => source.configMapRef?.name ?? source.secretRef?.name);
  expect(names).toEqual(envFrom.length === 0 ? [] : ["stowage", "stowage"]);
});

test("the service accepts its settings, and only the job migrates", () => {
  expect(settingNames).toEqual(expect.arrayContaining([...Object.keys(settings), ...Object.keys(secret)]));
  expect(Object.keys(settings).filter((name) => name in secret)).toEqual([]);
  expect(readConfig({ ...settings, ...secret })).toMatchObject({ MIGRATE: false });
  const [, , { command, env = [] }] = pods.find(([name]) => name === "stowage-migrate")!;
  expect(command).toEqual(["stowage", "migrate"]);
  const given = Object.fromEntries(env.map(({ name }) => [name, secret.DATABASE_URL]));
  expect(readMigrationConfig(given)).toMatchObject({ setting: "MIGRATION_DATABASE_URL" });
});

test("docs/containers.md creates the secrets that the pods read", () => {
  const commands = readText("docs/containers.md").split("\n");
  const namesIn = (name: string) =>
    commands
      .find((line) => line.includes(`create secret generic ${name} `))
      ?.split(" # ")[1]
      ?.split(", ");
  expect(namesIn("stowage")).toEqual(Object.keys(secret));
  expect(namesIn("stowage-migration")).toEqual(["MIGRATION_DATABASE_URL"]);
});

describe("the service", () => {
  const [, pod, container] = pods.find(([name]) => name === "stowage")!;

  test("gets the time to drain before it is killed", () => {
    const { DRAIN_DELAY_SECONDS, DRAIN_SECONDS } = readConfig({ ...settings, ...secret });
    expect(DRAIN_DELAY_SECONDS).toBeGreaterThanOrEqual(5);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(DRAIN_DELAY_SECONDS + DRAIN_SECONDS + 2);
  });

  test("is restarted only if it is not alive, and gets requests only while it is ready", () => {
    expect(container.startupProbe?.httpGet?.path).toBe("/healthz");
    expect(container.livenessProbe?.httpGet?.path).toBe("/healthz");
    expect(container.readinessProbe?.httpGet?.path).toBe("/readyz");
    const { DATABASE_TIMEOUT_MS, S3_TIMEOUT_MS, PORT, METRICS_PORT } = readConfig({ ...settings, ...secret });
    const slowest = Math.max(DATABASE_TIMEOUT_MS, S3_TIMEOUT_MS) / 1000;
    expect(container.readinessProbe?.timeoutSeconds).toBeGreaterThan(slowest);
    expect(container.ports).toEqual([
      { name: "http", containerPort: PORT },
      { name: "metrics", containerPort: METRICS_PORT },
    ]);
  });

  test("and the worker offer metrics to Prometheus, but not through the Service", () => {
    const { METRICS_PORT, METRICS_HOST } = readConfig({ ...settings, ...secret });
    expect(METRICS_HOST).toBe("0.0.0.0");
    for (const name of ["stowage", "stowage-worker"]) {
      const [, , container] = pods.find(([pod]) => pod === name)!;
      expect(container.ports).toContainEqual({ name: "metrics", containerPort: METRICS_PORT });
      expect(find("Deployment", name).spec!.template.metadata!.annotations).toEqual({
        "prometheus.io/scrape": "true",
        "prometheus.io/port": `${METRICS_PORT}`,
        "prometheus.io/path": "/metrics",
      });
    }
    expect((find("Service").spec as unknown as { ports: unknown[] }).ports).toHaveLength(1);
  });

  test("is found by its Service, and keeps a replica while nodes are drained", () => {
    const labels = find("Deployment").spec!.template.metadata!.labels;
    expect((find("Service") as { spec?: object }).spec).toMatchObject({
      selector: labels,
      ports: [{ port: 80, targetPort: "http" }],
    });
    expect((find("PodDisruptionBudget") as { spec?: object }).spec).toEqual({
      maxUnavailable: 1,
      selector: { matchLabels: labels },
    });
    expect((find("Deployment").spec as { replicas?: number }).replicas).toBeGreaterThanOrEqual(2);
  });
});
