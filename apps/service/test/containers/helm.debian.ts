import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { IPodSpec } from "kubernetes-models/v1/PodSpec";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { readConfig, readMigrationConfig } from "#config.js";
import { settings } from "#settings/settings.js";
import { expectKnownProperties, type Manifest, validate } from "./manifest.js";
import { readText, readYaml, readYamlDocuments } from "./read-files.js";

const CHART = "deploy/helm/stowage";
const root = fileURLToPath(new URL("../../../../", import.meta.url));
const dir = mkdtempSync(join(tmpdir(), "stowage-helm-"));
const renderer = join(dir, "render");
afterAll(() => rmSync(dir, { recursive: true }));

beforeAll(() => {
  // Debian's Go packages are a GOPATH. Nothing is downloaded.
  const env = {
    PATH: process.env["PATH"],
    HOME: dir,
    GO111MODULE: "off",
    GOPATH: "/usr/share/gocode",
    GOCACHE: join(dir, "cache"),
  };
  const source = join(import.meta.dirname, "helm/render.go");
  execFileSync("go", ["build", "-o", renderer, source], { env, cwd: dir, timeout: 280_000 });
});

interface Values {
  [name: string]: unknown;
}
interface SecretSource {
  secret?: string;
  key?: string;
  remoteRef?: object;
}

/** The fewest values that the chart accepts. The settings are those of deploy/kubernetes. */
const plainSettings = readYaml<{ data: Record<string, string> }>("deploy/kubernetes/config.yaml").data;
const { S3_ENDPOINT, S3_BUCKET, DASHBOARD_URL } = plainSettings;
const STORAGES_FILE = "/etc/stowage/storages.json";
const least = {
  image: { repository: "registry.example.com/stowage" },
  env: { S3_ENDPOINT, S3_BUCKET, DASHBOARD_URL },
  secretEnv: { DATABASE_URL: { secret: "stowage" } } as Record<string, SecretSource>,
  migration: {
    secretEnv: { MIGRATION_DATABASE_URL: { secret: "stowage-migration" } } as Record<string, SecretSource>,
  },
};
const staticKeys = {
  S3_ACCESS_KEY_ID: { secret: "storage-keys", key: "id" },
  S3_SECRET_ACCESS_KEY: { secret: "storage-keys", key: "secret" },
};

function run(values: Values | string, release: string) {
  const input = typeof values === "string" ? values : stringify(values, { version: "1.1" });
  return spawnSync(renderer, [join(root, CHART), release], { input, encoding: "utf8", timeout: 60_000 });
}

/** Returns the objects of a release. Each has a form that Kubernetes accepts, and a name of its own. */
function render(values: Values | string, release = "acme") {
  const { status, stdout, stderr } = run(values, release);
  expect(status, stderr).toBe(0);
  const manifests = JSON.parse(stdout) as Manifest[];
  for (const manifest of manifests) expect(() => validate(manifest), manifest.metadata.name).not.toThrow();
  const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  expect(names).toEqual([...new Set(names)]);
  const find = (kind: string, component = "service") =>
    manifests.find(
      ({ kind: own, metadata }) =>
        own === kind && metadata.labels["app.kubernetes.io/component"] === component,
    )!;
  return { manifests, names, find };
}

const refusal = (values: Values | string, release = "acme") => {
  const { status, stderr } = run(values, release);
  expect(status).toBe(1);
  return stderr;
};

const podOf = ({ kind, spec }: Manifest) =>
  kind === "Pod" ? (spec as unknown as IPodSpec) : spec!.template.spec!;
const containerOf = (manifest: Manifest) => podOf(manifest).containers[0]!;

/** What the process gets: Kubernetes replaces $(NAME), and $$ by $. A secret is `Secret/key`. */
function environmentOf(manifest: Manifest): Record<string, string> {
  const { env = [] } = containerOf(manifest);
  const names = env.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
  const given: Record<string, string> = {};
  for (const { name, value, valueFrom } of env) {
    const reference = valueFrom?.secretKeyRef;
    given[name] = reference
      ? `${reference.name}/${reference.key}`
      : value!.replaceAll(/\$\$|\$\((\w+)\)/g, (match, other: string) =>
          match === "$$" ? "$" : (given[other] ?? match),
        );
  }
  return given;
}

describe("compared with deploy/kubernetes", () => {
  const plain = ["migrate", "service", "worker"].flatMap((file) =>
    readYamlDocuments<Manifest>(`deploy/kubernetes/${file}.yaml`),
  );
  const chart = () =>
    render({
      ...least,
      secretEnv: {
        DATABASE_URL: { secret: "stowage" },
        S3_ACCESS_KEY_ID: { secret: "stowage" },
        S3_SECRET_ACCESS_KEY: { secret: "stowage" },
        SIGN_IN_SECRET: { secret: "stowage" },
      },
      env: plainSettings,
      worker: { env: { CLAMAV_URL: "tcp://clamav:3310" } },
      serviceAccount: { create: false },
    });

  test.each(plain.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const))(
    "%s is the same, except for names and labels",
    (_, manifest) => {
      const component = manifest.metadata.name.replace(/^stowage-?/, "") || "service";
      expect(comparable(chart().find(manifest.kind, component))).toEqual(comparable(manifest));
    },
  );

  test("the image has the version of the kustomization", () => {
    const [image] = readYaml<{ images: { newName: string; newTag: string }[] }>(
      "deploy/kubernetes/kustomization.yaml",
    ).images;
    const containers = chart().manifests.flatMap(({ kind, spec }) =>
      kind === "Deployment" || kind === "Job" ? spec!.template.spec!.containers : [],
    );
    expect(containers.map((each) => each.image)).toEqual(
      containers.map(() => `${image!.newName}:${image!.newTag}`),
    );
    expect(containers).toHaveLength(3);
    expect(readYaml(`${CHART}/Chart.yaml`)).toMatchObject({
      version: image!.newTag,
      appVersion: image!.newTag,
    });
  });

  test("the processes get the same settings", () => {
    const { find } = chart();
    const secrets = Object.fromEntries(
      ["DATABASE_URL", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY", "SIGN_IN_SECRET"].map((name) => [
        name,
        `stowage/${name}`,
      ]),
    );
    expect(environmentOf(find("Deployment"))).toEqual({ ...plainSettings, ...secrets });
    expect(environmentOf(find("Deployment", "worker"))).toEqual({
      ...plainSettings,
      ...secrets,
      CLAMAV_URL: "tcp://clamav:3310",
    });
    expect(environmentOf(find("Job", "migrate"))).toEqual({
      MIGRATION_DATABASE_URL: "stowage-migration/MIGRATION_DATABASE_URL",
    });
  });

  /** Without what a chart names by its release, and without the variables, which have a test of their own. */
  function comparable({ kind, spec }: Manifest) {
    const copy = structuredClone(spec) as unknown as Record<string, unknown>;
    delete copy["selector"];
    const template = copy["template"] as { metadata: { labels?: unknown }; spec: IPodSpec } | undefined;
    if (template) {
      delete template.metadata.labels;
      delete template.spec.serviceAccountName;
      for (const constraint of template.spec.topologySpreadConstraints ?? []) delete constraint.labelSelector;
      for (const container of template.spec.containers)
        for (const name of ["image", "imagePullPolicy", "env", "envFrom"] as const) delete container[name];
    }
    return { kind, spec: copy };
  }
});

test("with the fewest values, the service starts with the settings of the chart", () => {
  const { names, find } = render(least);
  expect(names.toSorted()).toEqual([
    "Deployment acme-stowage",
    "Deployment acme-stowage-worker",
    "Job acme-stowage-migrate",
    "PodDisruptionBudget acme-stowage",
    "Service acme-stowage",
    "ServiceAccount acme-stowage",
  ]);
  const given = {
    ...environmentOf(find("Deployment")),
    DATABASE_URL: "postgres://app:secret@database/stowage",
  };
  const { DRAIN_DELAY_SECONDS, DRAIN_SECONDS, MIGRATE, METRICS_PORT } = readConfig(given);
  expect(MIGRATE).toBe(false);
  expect(METRICS_PORT).toBe(9464);
  expect(podOf(find("Deployment")).terminationGracePeriodSeconds).toBeGreaterThan(
    DRAIN_DELAY_SECONDS + DRAIN_SECONDS + 2,
  );
  expect(readMigrationConfig({ MIGRATION_DATABASE_URL: given.DATABASE_URL })).toMatchObject({
    setting: "MIGRATION_DATABASE_URL",
  });
});

test("the values of docs/containers.md make a service with a role and an ingress", () => {
  const [, values = ""] = /```yaml\n(.*?)```/s.exec(readText("docs/containers.md"))!;
  const { find } = render(values, "stowage");
  expect(find("Deployment").metadata.name).toBe("stowage");
  expect(find("ServiceAccount").metadata.annotations).toHaveProperty(["eks.amazonaws.com/role-arn"]);
  expect(find("Ingress").spec).toMatchObject({ rules: [{ host: "storage.example.com" }] });
  const given = {
    ...environmentOf(find("Deployment")),
    DATABASE_URL: "postgres://app:secret@database/stowage",
  };
  const { S3_REGION, S3_ACCESS_KEY_ID } = readConfig(given);
  expect([S3_REGION, S3_ACCESS_KEY_ID]).toEqual(["eu-central-1", undefined]);
});

test("with STORAGES_FILE, the storages are those of a file from a volume, and their keys come from Secrets", () => {
  const { find } = render({
    ...least,
    env: { DASHBOARD_URL, STORAGES_FILE, EU_ACCESS_KEY_ID: "eu" },
    secretEnv: { ...least.secretEnv, EU_SECRET_ACCESS_KEY: { secret: "storage-keys", key: "eu" } },
    volumes: [{ name: "storages", configMap: { name: "storages" } }],
    volumeMounts: [{ name: "storages", mountPath: "/etc/stowage", readOnly: true }],
  });
  for (const component of ["service", "worker"]) {
    const deployment = find("Deployment", component);
    const given = environmentOf(deployment);
    expect(given).toMatchObject({
      STORAGES_FILE,
      EU_ACCESS_KEY_ID: "eu",
      EU_SECRET_ACCESS_KEY: "storage-keys/eu",
    });
    expect(Object.keys(given).filter((name) => name.startsWith("S3_"))).toEqual([]);
    expect(containerOf(deployment).volumeMounts).toMatchObject([{ mountPath: "/etc/stowage" }]);

    const file = join(dir, `${component}.json`);
    const own = { access_key_id_env: "EU_ACCESS_KEY_ID", secret_access_key_env: "EU_SECRET_ACCESS_KEY" };
    const eu = { endpoint: S3_ENDPOINT, region: "eu-central-1", bucket: S3_BUCKET, ...own };
    writeFileSync(file, JSON.stringify({ default: "eu", eu }));
    const started = { ...given, DATABASE_URL: "postgres://app:secret@database/stowage", STORAGES_FILE: file };
    expect(readConfig(started)).toMatchObject({
      storages: [{ name: "eu", config: { S3_REGION: "eu-central-1", S3_ACCESS_KEY_ID: "eu" } }],
    });
  }
});

test("each selector finds the pods of its component, and no others of the namespace", () => {
  const { find } = render(least);
  for (const component of ["service", "worker"]) {
    const { template, ...spec } = find("Deployment", component).spec!;
    const labels = (spec as unknown as { selector: { matchLabels: object } }).selector.matchLabels;
    expect(labels).toEqual({
      "app.kubernetes.io/name": "stowage",
      "app.kubernetes.io/instance": "acme",
      "app.kubernetes.io/component": component,
    });
    expect(template.metadata!.labels).toMatchObject(labels);
  }
  const { matchLabels } = (find("Deployment").spec as unknown as { selector: { matchLabels: object } })
    .selector;
  expect(find("Service").spec).toMatchObject({ selector: matchLabels });
  expect(find("PodDisruptionBudget").spec).toMatchObject({ selector: { matchLabels } });
});

describe("credentials", () => {
  test("a role of the service account needs no keys", () => {
    const role = "arn:aws:iam::012345678901:role/stowage";
    const { find } = render({
      ...least,
      serviceAccount: { annotations: { "eks.amazonaws.com/role-arn": role } },
    });
    expect(find("ServiceAccount").metadata.annotations).toEqual({ "eks.amazonaws.com/role-arn": role });
    for (const component of ["service", "worker"]) {
      const deployment = find("Deployment", component);
      expect(podOf(deployment).serviceAccountName).toBe(find("ServiceAccount").metadata.name);
      expect(Object.keys(environmentOf(deployment)).filter((name) => name.includes("ACCESS_KEY"))).toEqual(
        [],
      );
    }
    // The hook runs before the service account exists.
    expect(podOf(find("Job", "migrate"))).not.toHaveProperty("serviceAccountName");
  });

  test("static keys come from the Secret and the keys that are named", () => {
    const { find } = render({ ...least, secretEnv: { ...least.secretEnv, ...staticKeys } });
    for (const component of ["service", "worker"])
      expect(environmentOf(find("Deployment", component))).toMatchObject({
        DATABASE_URL: "stowage/DATABASE_URL",
        S3_ACCESS_KEY_ID: "storage-keys/id",
        S3_SECRET_ACCESS_KEY: "storage-keys/secret",
      });
  });

  test("an existing service account, or the namespace's default", () => {
    const accountOf = (serviceAccount: object) => {
      const { find, names } = render({ ...least, serviceAccount: { create: false, ...serviceAccount } });
      expect(names.filter((name) => name.startsWith("ServiceAccount"))).toEqual([]);
      return podOf(find("Deployment")).serviceAccountName;
    };
    expect(accountOf({ name: "storage" })).toBe("storage");
    expect(accountOf({})).toBe("default");
  });

  test("external secrets become one Secret for each component that reads them", () => {
    const { find, names } = render({
      ...least,
      externalSecrets: { enabled: true, store: { name: "vault", kind: "SecretStore" } },
      secretEnv: {
        ...least.secretEnv,
        SIGN_IN_SECRET: { remoteRef: { key: "production/stowage", property: "sign-in" } },
      },
      migration: { secretEnv: { MIGRATION_DATABASE_URL: { remoteRef: { key: "production/owner" } } } },
      verify: { enabled: true, secretEnv: { STOWAGE_API_KEY: { remoteRef: { key: "0123" } } } },
    });
    expect(names.filter((name) => name.startsWith("ExternalSecret"))).toHaveLength(3);
    expect(environmentOf(find("Deployment", "worker"))).toMatchObject({
      DATABASE_URL: "stowage/DATABASE_URL",
      SIGN_IN_SECRET: "acme-stowage/SIGN_IN_SECRET",
    });
    expect(find("ExternalSecret").spec).toMatchObject({
      secretStoreRef: { name: "vault", kind: "SecretStore" },
      target: { name: "acme-stowage" },
      data: [{ secretKey: "SIGN_IN_SECRET", remoteRef: { key: "production/stowage", property: "sign-in" } }],
    });
    for (const [kind, component, name] of [
      ["Job", "migrate", "MIGRATION_DATABASE_URL"],
      ["Pod", "verify", "STOWAGE_API_KEY"],
    ] as const) {
      const secret = `acme-stowage-${component}`;
      expect(environmentOf(find(kind, component))).toEqual({ [name]: `${secret}/${name}` });
      expect(find("ExternalSecret", component).spec).toMatchObject({ target: { name: secret } });
      expect(weightOf(find("ExternalSecret", component))).toBeLessThan(weightOf(find(kind, component)));
    }
    expect(find("ExternalSecret", "verify").spec).toMatchObject({ data: [{ remoteRef: { key: "0123" } }] });
  });
});

const weightOf = ({ metadata }: Manifest) => Number(metadata.annotations!["helm.sh/hook-weight"]);

describe("hooks", () => {
  test("the migration runs before everything else, and reads nothing that the chart creates", () => {
    const { find, manifests } = render(least);
    const job = find("Job", "migrate");
    expect(job.metadata.annotations).toEqual({
      "helm.sh/hook": "pre-install,pre-upgrade",
      "helm.sh/hook-weight": "0",
      "helm.sh/hook-delete-policy": "before-hook-creation,hook-succeeded",
    });
    const others = manifests.filter((each) => each !== job);
    expect(others.filter(({ metadata }) => metadata.annotations?.["helm.sh/hook"])).toEqual([]);
    expect(Object.values(environmentOf(job))).toEqual(["stowage-migration/MIGRATION_DATABASE_URL"]);
  });

  test("without the migration there is no job", () => {
    const { find, names } = render({ ...least, migration: { enabled: false } });
    expect(names.filter((name) => name.startsWith("Job"))).toEqual([]);
    expect(environmentOf(find("Deployment"))).toMatchObject({ MIGRATE: "off" });
  });

  test("the migration takes an existing service account, and settings", () => {
    const { find } = render({
      ...least,
      migration: { ...least.migration, serviceAccountName: "owner", env: { LOG_LEVEL: "debug" } },
    });
    expect(podOf(find("Job", "migrate")).serviceAccountName).toBe("owner");
    expect(environmentOf(find("Job", "migrate"))).toMatchObject({ LOG_LEVEL: "debug" });
  });

  test("helm test runs stowage verify against the Service, or the address that is given", () => {
    const verify = { enabled: true, secretEnv: { STOWAGE_API_KEY: { secret: "stowage-verify" } } };
    const { find } = render({ ...least, verify });
    const pod = find("Pod", "verify");
    expect(pod.metadata.annotations).toMatchObject({ "helm.sh/hook": "test" });
    expect(environmentOf(pod)).toEqual({ STOWAGE_API_KEY: "stowage-verify/STOWAGE_API_KEY" });
    const service = find("Service").metadata.name;
    expect(containerOf(pod).command).toEqual([
      "stowage",
      "verify",
      `http://${service}`,
      "--profile",
      "smoke",
    ]);
    expect(podOf(pod).restartPolicy).toBe("Never");
    const args = ["--only", 'a "b"\n$(STOWAGE_API_KEY)'];
    const own = render({ ...least, verify: { ...verify, url: DASHBOARD_URL, args } }).find("Pod", "verify");
    // Kubernetes replaces $(NAME) in a command too.
    expect(containerOf(own).command).toEqual([
      "stowage",
      "verify",
      DASHBOARD_URL,
      "--only",
      'a "b"\n$$(STOWAGE_API_KEY)',
    ]);
  });
});

test("all objects have only properties that Kubernetes knows", () => {
  const remote = (name: string) => ({ [name]: { remoteRef: { key: "production", property: name } } });
  const { manifests } = render({
    ...least,
    imagePullSecrets: [{ name: "registry" }],
    externalSecrets: { enabled: true, store: { name: "vault" } },
    secretEnv: remote("DATABASE_URL"),
    migration: { secretEnv: remote("MIGRATION_DATABASE_URL"), serviceAccountName: "owner" },
    serviceAccount: {
      annotations: { "eks.amazonaws.com/role-arn": "arn:aws:iam::012345678901:role/stowage" },
    },
    service: { autoscaling: { enabled: true } },
    ingress: { enabled: true, className: "nginx", tlsSecretName: "tls", annotations: { a: "b" } },
    verify: { enabled: true, secretEnv: remote("STOWAGE_API_KEY") },
  });
  expect(new Set(manifests.map(({ kind }) => kind)).size).toBe(9);
  for (const manifest of manifests) expectKnownProperties(manifest);
});

test("every pod runs without root, privileges and writable files", () => {
  const { manifests } = render({
    ...least,
    verify: { enabled: true, secretEnv: { STOWAGE_API_KEY: { secret: "stowage-verify" } } },
  });
  const pods = manifests.filter(({ kind }) => ["Deployment", "Job", "Pod"].includes(kind));
  expect(pods).toHaveLength(4);
  for (const pod of pods) {
    expect(podOf(pod)).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: "RuntimeDefault" } },
    });
    expect(containerOf(pod)).toMatchObject({
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      },
      resources: {
        requests: { cpu: expect.any(String), memory: expect.any(String) },
        limits: { memory: expect.any(String) },
      },
    });
  }
});

describe("ingress", () => {
  const ingressOf = (url: string, ingress: object = {}) =>
    render({
      ...least,
      env: { ...least.env, DASHBOARD_URL: url },
      ingress: { enabled: true, ...ingress },
    }).find("Ingress");

  test.each([
    ["https://files.example.com", "files.example.com", "/"],
    ["https://files.example.com/", "files.example.com", "/"],
    ["https://tools.example.com:8443/stowage", "tools.example.com", "/stowage"],
  ])("%s has the host %s and the path %s", (url, host, path) => {
    const backend = { service: { name: "acme-stowage", port: { name: "http" } } };
    expect(ingressOf(url).spec).toEqual({
      rules: [{ host, http: { paths: [{ path, pathType: "Prefix", backend }] } }],
    });
  });

  test("has a class, a certificate and annotations", () => {
    const annotations = {
      "nginx.ingress.kubernetes.io/proxy-body-size": "8m",
      "example.com/account": "0012",
    };
    const ingress = ingressOf("https://files.example.com", {
      className: "nginx",
      tlsSecretName: "files-tls",
      annotations,
    });
    expect(ingress.metadata.annotations).toEqual(annotations);
    expect(ingress.spec).toMatchObject({
      ingressClassName: "nginx",
      tls: [{ hosts: ["files.example.com"], secretName: "files-tls" }],
    });
  });
});

describe("replicas", () => {
  test("without the worker there is one Deployment", () => {
    const { names } = render({ ...least, worker: { enabled: false } });
    expect(names.filter((name) => name.startsWith("Deployment"))).toEqual(["Deployment acme-stowage"]);
  });

  test("one replica has a disruption budget that lets nodes drain", () => {
    const { find } = render({ ...least, service: { replicas: 1 } });
    expect(find("Deployment").spec).toMatchObject({ replicas: 1 });
    expect(find("PodDisruptionBudget").spec).toMatchObject({ maxUnavailable: 1 });
  });

  test("a disruption budget may be a percentage, or off", () => {
    const { find } = render({ ...least, service: { disruptionBudget: { maxUnavailable: "25%" } } });
    expect(find("PodDisruptionBudget").spec).toMatchObject({ maxUnavailable: "25%" });
    const { names } = render({ ...least, service: { disruptionBudget: { enabled: false } } });
    expect(names).not.toContain("PodDisruptionBudget acme-stowage");
  });

  test("an autoscaler replaces the number of replicas", () => {
    const { find } = render({ ...least, service: { autoscaling: { enabled: true, maxReplicas: 4 } } });
    expect(find("Deployment").spec).not.toHaveProperty("replicas");
    expect(find("HorizontalPodAutoscaler").spec).toMatchObject({
      minReplicas: 2,
      maxReplicas: 4,
      scaleTargetRef: { kind: "Deployment", name: find("Deployment").metadata.name },
    });
  });
});

describe("names", () => {
  test.each([
    ["a release", {}, "acme", "acme-stowage"],
    ["a release that contains the chart's name", {}, "my-stowage-eu", "my-stowage-eu"],
    ["the longest release", {}, "a".repeat(53), `${"a".repeat(53)}-s`],
    ["a longer name", { fullnameOverride: "b".repeat(80) }, "acme", "b".repeat(55)],
    ["a name that is cut at a hyphen", { fullnameOverride: `${"b".repeat(54)}-c` }, "acme", "b".repeat(54)],
    ["a name like a number", { fullnameOverride: "e12" }, "acme", "e12"],
    ["a release like a number", { fullnameOverride: "files" }, "0012", "files"],
  ])("%s", (_, values, release, expected) => {
    const { manifests, find } = render({ ...least, ...values }, release);
    expect(find("Service").metadata.name).toBe(expected);
    for (const { metadata, spec } of manifests) {
      expect(metadata.name).toMatch(/^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/);
      const labels = { ...metadata.labels, ...spec?.template?.metadata?.labels };
      for (const value of Object.values(labels)) expect(value).toMatch(/^[\w.-]{1,63}$/);
      expect(labels["app.kubernetes.io/instance"]).toBe(release);
    }
  });

  test.each(["1-acme", "acme.eu"])("a Service cannot have the name of the release %s", (release) => {
    expect(refusal(least, release)).toContain(
      `${release}-stowage cannot be the name of a Service: it begins with a-z and has only a-z, 0-9 and -. Set fullnameOverride.`,
    );
  });
});

describe("values", () => {
  test("arrive unchanged, with quotes, new lines, dollars, and numbers that are texts", () => {
    const env = {
      ...least.env,
      OIDC_NAME: `"Acme" isn't: {a} # b\\n`,
      CDN_CLOUDFRONT_KEY_PAIR_ID: "line 1\n\tline 2\r\n",
      OIDC_SCOPES: "$(S3_BUCKET) $$ $S3_BUCKET ${S3_BUCKET} {{ .Values }} é 🗄",
      OIDC_CLIENT_ID: "012345678901",
      LOG_LEVEL: "1e3",
      S3_REGION: "null",
      WEBHOOKS: "off",
      METRICS_HOST: "",
    };
    const { find } = render({ ...least, env });
    for (const component of ["service", "worker"])
      expect(environmentOf(find("Deployment", component))).toMatchObject(env);
  });

  test("files, pull secrets and a digest reach every pod", () => {
    const digest = `sha256:${"0123456789abcdef".repeat(4)}`;
    const { manifests } = render({
      ...least,
      image: { ...least.image, digest },
      imagePullSecrets: [{ name: "registry" }],
      volumes: [{ name: "ca", configMap: { name: "ca" } }],
      volumeMounts: [{ name: "ca", mountPath: "/etc/ca", readOnly: true }],
      verify: { enabled: true, secretEnv: { STOWAGE_API_KEY: { secret: "stowage-verify" } } },
    });
    const pods = manifests.filter(({ kind }) => ["Deployment", "Job", "Pod"].includes(kind));
    expect(pods).toHaveLength(4);
    for (const pod of pods) {
      expect(podOf(pod)).toMatchObject({
        imagePullSecrets: [{ name: "registry" }],
        volumes: [{ name: "ca" }],
      });
      expect(containerOf(pod)).toMatchObject({
        image: `registry.example.com/stowage@${digest}`,
        volumeMounts: [{ mountPath: "/etc/ca" }],
      });
    }
  });

  test("ports, metrics and the time to drain follow the settings", () => {
    const env = {
      ...least.env,
      PORT: "8080",
      METRICS_PORT: "",
      DRAIN_DELAY_SECONDS: "20",
      DRAIN_SECONDS: "100",
    };
    const { find } = render({ ...least, env, worker: { env: { METRICS_PORT: "9000" } } });
    expect(containerOf(find("Deployment")).ports).toEqual([{ name: "http", containerPort: 8080 }]);
    expect(find("Deployment").spec!.template.metadata).not.toHaveProperty("annotations");
    expect(podOf(find("Deployment")).terminationGracePeriodSeconds).toBe(125);
    expect(containerOf(find("Deployment", "worker")).ports).toEqual([
      { name: "metrics", containerPort: 9000 },
    ]);
  });

  const without = (name: "S3_ENDPOINT" | "S3_BUCKET" | "DASHBOARD_URL") => {
    const { [name]: _, ...env } = least.env;
    return { ...least, env };
  };
  test.each<[string, Values | string]>([
    ["Name the Secret of MIGRATION_DATABASE_URL in migration.secretEnv.MIGRATION_DATABASE_URL", {}],
    ["Set image.repository to the image that you built", { ...least, image: {} }],
    ["Set env.S3_ENDPOINT, or env.STORAGES_FILE for several storages.", without("S3_ENDPOINT")],
    ["Set env.S3_BUCKET, or env.STORAGES_FILE for several storages.", without("S3_BUCKET")],
    ["Set env.S3_ENDPOINT, or", { ...least, env: { DASHBOARD_URL, STORAGES_FILE: "" } }],
    ["Set env.S3_ENDPOINT, or", { ...least, env: { DASHBOARD_URL }, worker: { env: { STORAGES_FILE } } }],
    ["Set env.DASHBOARD_URL.", { ...least, env: { STORAGES_FILE } }],
    ["Set env.DASHBOARD_URL.", without("DASHBOARD_URL")],
    ["Set env.DASHBOARD_URL.", { ...without("DASHBOARD_URL"), ingress: { enabled: true } }],
    ["Name the Secret of DATABASE_URL in secretEnv.DATABASE_URL.", { ...least, secretEnv: {} }],
    [
      "Name the Secret of a project's API key in verify.secretEnv.STOWAGE_API_KEY.",
      { ...least, verify: { enabled: true } },
    ],
    [
      "Set both of secretEnv.S3_ACCESS_KEY_ID and secretEnv.S3_SECRET_ACCESS_KEY, or none",
      { ...least, secretEnv: { ...least.secretEnv, S3_ACCESS_KEY_ID: staticKeys.S3_ACCESS_KEY_ID } },
    ],
    [
      "Set both of secretEnv.S3_ACCESS_KEY_ID and secretEnv.S3_SECRET_ACCESS_KEY, or none",
      { ...least, env: { ...least.env, S3_ACCESS_KEY_ID: "key" } },
    ],
    [
      "DATABASE_URL has a remoteRef. Set externalSecrets.enabled, or name a Secret.",
      { ...least, secretEnv: { DATABASE_URL: { remoteRef: { key: "production" } } } },
    ],
    [
      "Set externalSecrets.store.name.",
      {
        ...least,
        externalSecrets: { enabled: true },
        secretEnv: { DATABASE_URL: { remoteRef: { key: "production" } } },
      },
    ],
    [
      "RATE_LIMIT_STORE contains a secret. Name its Secret in secretEnv.RATE_LIMIT_STORE instead.",
      { ...least, env: { ...least.env, RATE_LIMIT_STORE: "redis://:password@redis:6379" } },
    ],
    [
      "S3_REGION has a value in env and in secretEnv. Remove one of them.",
      {
        ...least,
        env: { ...least.env, S3_REGION: "eu" },
        secretEnv: { ...least.secretEnv, S3_REGION: { secret: "stowage" } },
      },
    ],
    [
      "service.autoscaling.maxReplicas is less than minReplicas.",
      { ...least, service: { autoscaling: { enabled: true, maxReplicas: 1 } } },
    ],
    ["env.DRAIN_SECONDS: Invalid type. Expected: string, given: integer", "env: { DRAIN_SECONDS: 15 }"],
    ["env.MIGRATE: Invalid type. Expected: string, given: boolean", "env: { MIGRATE: off }"],
    ["env.OIDC_CLIENT_ID: Invalid type. Expected: string", "env: { OIDC_CLIENT_ID: 012345678901 }"],
    ["env.DRAIN_SECONDS: Does not match pattern", 'env: { DRAIN_SECONDS: "015" }'],
    [
      "secretEnv.DATABASE_URL: Invalid type. Expected: object, given: string",
      "secretEnv: { DATABASE_URL: x }",
    ],
    [
      "secretEnv.DATABASE_URL: Additional property value is not allowed",
      "secretEnv: { DATABASE_URL: { value: x } }",
    ],
    ["image.tag: Invalid type. Expected: string, given: number", "image: { tag: 1.10 }"],
    ["image.digest: Does not match pattern", "image: { digest: latest }"],
    [
      "serviceAccount.annotations.account: Invalid type",
      "serviceAccount: { annotations: { account: 0012 } }",
    ],
    ["Additional property replicas is not allowed", "replicas: 3"],
    ["service.replicas: Invalid type. Expected: integer, given: string", 'service: { replicas: "3" }'],
    ["Must be greater than or equal to 1", "service: { disruptionBudget: { maxUnavailable: 0 } }"],
    ["service.resources: Additional property cpu", "service: { resources: { cpu: 1 } }"],
    ["ingress is required", "ingress: null"],
    ["verify.url: Does not match pattern", "verify: { url: files.example.com }"],
  ])("are refused: %s", (message, values) => {
    expect(refusal(values)).toContain(message);
  });

  test("env takes every setting that is not secret, and no secret", () => {
    const isSecret = (name: string) =>
      settings[name as keyof typeof settings].value?.startsWith("secret") || name.endsWith("DATABASE_URL");
    const names = Object.keys(settings).filter((name) => name !== "S3_ACCESS_KEY_ID");
    const secrets = names.filter(isSecret);
    expect(secrets.length).toBeGreaterThan(8);
    for (const name of [...secrets, "STOWAGE_API_KEY", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"]) {
      const { secretEnv } = least;
      const { [name]: _, ...others } = secretEnv;
      expect(refusal({ ...least, secretEnv: others, env: { ...least.env, [name]: "x" } }), name).toMatch(
        /contains a secret|Name the Secret|Set both/,
      );
    }
    const open = Object.fromEntries(names.filter((name) => !isSecret(name)).map((name) => [name, "1"]));
    const { find } = render({ ...least, env: { ...open, DASHBOARD_URL } });
    expect(Object.keys(environmentOf(find("Deployment")))).toEqual(expect.arrayContaining(Object.keys(open)));
  });

  test("the schema knows and requires each value of the chart", () => {
    interface Schema {
      $ref?: string;
      properties?: Record<string, Schema>;
      required?: string[];
    }
    const schema = JSON.parse(readText(`${CHART}/values.schema.json`)) as Schema & {
      definitions: Record<string, Schema>;
    };
    const compare = (value: unknown, of: Schema, path: string): void => {
      const target = of.$ref ? schema.definitions[of.$ref.split("/").at(-1)!]! : of;
      // A map whose names the operator chooses has no required ones.
      if (typeof value !== "object" || Array.isArray(value) || value === null || !target.required) return;
      const names = Object.keys(value);
      expect(target.required.toSorted(), path).toEqual(names.toSorted());
      expect(
        Object.keys(target.properties!).filter((name) => name !== "global"),
        path,
      ).toEqual(target.required);
      for (const name of names)
        compare((value as Record<string, unknown>)[name], target.properties![name]!, `${path}.${name}`);
    };
    compare(readYaml(`${CHART}/values.yaml`), schema, "values");
    expect(schema.required).toContain("migration");
  });
});
