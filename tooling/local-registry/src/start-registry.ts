import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runServer } from "verdaccio";
import { publishPackages } from "./publish-packages.js";
import { type PublishedPackage, readPublishedPackages } from "./published-packages.js";
import { readUpstream, type Upstream } from "./upstream.js";

export interface LocalRegistry extends AsyncDisposable {
  /** For example `http://127.0.0.1:49152`. */
  url: string;
  /** Our packages in it. */
  packages: PublishedPackage[];
  /**
   * The environment of an `npm`, `npx` or `pnpm` that installs from this registry, on a machine that has never used npm: with an
   * empty home folder, an empty cache and no settings. It replaces `process.env`.
   *
   * @param folder where the home folder and the cache are created
   */
  environmentFor(folder: string): Record<string, string>;
  /** Stops the registry and deletes its files. */
  close(): Promise<void>;
}

/** Long enough for the package `stowage`, which contains the service and the dashboard. */
const MAX_PACKAGE_SIZE = "100mb";

/**
 * Starts an npm registry on a free port of 127.0.0.1 and publishes all our packages into it, as a release does. Build them first.
 * The registry gets all other packages from the registry that npm on this machine uses. It runs in this process, so this process
 * must not block: start npm with `execFile` or `spawn`, not with their `Sync` forms.
 */
export async function startLocalRegistry(): Promise<LocalRegistry> {
  const [packages, upstream] = await Promise.all([readPublishedPackages(), readUpstream()]);
  const folder = await mkdtemp(join(tmpdir(), "stowage-registry-"));
  const server = await listen(settings(folder, packages, upstream));
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const environmentFor = (customer: string) => environment(url, customer);
  try {
    await publishPackages(url, environmentFor(join(folder, "publisher")));
  } catch (error) {
    await close();
    throw error;
  }
  return { url, packages, environmentFor, close, [Symbol.asyncDispose]: close };
}

async function listen(config: ReturnType<typeof settings>): Promise<Server> {
  const server = (await runServer(config as never)) as Server;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

/** @see https://verdaccio.org/docs/configuration */
function settings(folder: string, packages: PublishedPackage[], { url, ca, proxy }: Upstream) {
  // Without `proxy`: a package of the same name in the other registry is never used.
  const own = packages.map(({ name }) => [name, { access: "$all", publish: "$all" }]);
  return {
    self_path: folder,
    configPath: folder,
    storage: join(folder, "storage"),
    auth: { htpasswd: { file: join(folder, "htpasswd"), max_users: -1 } },
    uplinks: { upstream: { url, timeout: "60s", maxage: "1h", fail_timeout: "1s", ...(ca ? { ca } : {}) } },
    ...(proxy ? { https_proxy: proxy } : {}),
    packages: { ...Object.fromEntries(own), "**": { access: "$all", proxy: "upstream" } },
    max_body_size: MAX_PACKAGE_SIZE,
    web: { enable: false },
    log: { type: "stdout", format: "json", level: "fatal" },
  };
}

function environment(url: string, folder: string): Record<string, string> {
  const { host } = new URL(url);
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: join(folder, "home"),
    npm_config_cache: join(folder, "cache"),
    npm_config_userconfig: join(folder, "home", ".npmrc"),
    npm_config_globalconfig: join(folder, "home", "global-npmrc"),
    npm_config_registry: `${url}/`,
    pnpm_config_registry: `${url}/`,
    // The registry accepts everybody, but npm refuses to publish without a token.
    [`npm_config_//${host}/:_authToken`]: "any",
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_update_notifier: "false",
    // pnpm would refuse packages that were published a moment ago.
    pnpm_config_minimum_release_age: "0",
    // npx does not ask before it installs.
    npm_config_yes: "true",
  };
}
