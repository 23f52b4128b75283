// `pnpm lab NAME [ARGUMENTS]`: measurements and long tests that are not needed to build, run or test Stowage. `pnpm lab` lists them.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** One row for each `lab/NAME.mjs`. */
const labs = {
  bench: {
    about:
      "compares Stowage with its peers, or one row: `bench upload`; results and conclusions are in lab/bench/",
    time: "one hour, or minutes for a row",
    needs: "an idle machine with two cores or more; once `bench --install-peers`, from npm's registry",
  },
  capture: {
    about: "films the widget of the example app for README.md",
    time: "one minute",
    needs: "Chromium and a build",
  },
  ceph: {
    about:
      "the service's tests on Ceph instead of dev-store, and its bucket notifications and policies: `ceph own`",
    time: "30 minutes",
    needs: "root or Debian's Ceph",
  },
  citus: {
    about:
      "the service's slow tests on Citus, the tests of Citus itself, and with `--faults` workers that are killed",
    time: "30 minutes",
    needs: "DATABASE_URL of a cluster: docs/scale-out.md",
  },
  clients: {
    about: "the PUT with HTTP clients of many languages: the programs and the table of docs/put.md",
    time: "10 to 30 minutes",
    needs:
      "root, or these Debian packages: Python, Go, PHP, Ruby, Java, Mono, Rust, Elixir, Crystal, Lua, Perl, R; and npm",
  },
  decoder: {
    about: "what images cost the process that decodes them: CPU time and memory",
    time: "5 minutes",
    needs: "Linux",
  },
  doctor: {
    about: "what `stowage doctor` says of stores and proxies that are broken in a known way, as a table",
    time: "2 minutes",
    needs: "nothing",
  },
  edges: {
    about:
      "restarts, the live feed, cached files and a PUT of 50 MB through seven proxies and caches of Debian",
    time: "5 minutes",
    needs: "root or Debian's Caddy, Apache, lighttpd, Varnish, Squid, H2O and Traffic Server",
  },
  failover: {
    about: "a primary that dies under load, its standby behind HAProxy, also under Patroni; a full disk",
    time: "10 minutes",
    needs: "root or Debian's HAProxy, Patroni, etcd and PostgreSQL 15",
  },
  files: {
    about:
      "what Stowage makes of each kind of file, the table of docs/file-types.md, a walk, and a gallery with HEIC",
    time: "3 minutes",
    needs: "Chromium",
  },
  "first-file": {
    about:
      "how long it takes from an empty folder to the first stored file, also with the examples of two peers",
    time: "10 minutes and more",
    needs: "npm's registry and Chromium; for the peers, clones of their repositories",
  },
  frameworks: {
    about: "the element in apps of Vue, Svelte and Angular that docs/element.md links",
    time: "5 minutes",
    needs: "npm's registry and Chromium",
  },
  fuzz: {
    about: "100,000 random requests and raw bytes to every interface, or CASES=; SEED= repeats a run",
    time: "20 minutes",
    needs: "nothing",
  },
  "generated-clients": {
    about: "clients for Python and Go that OpenAPI Generator makes from the service's document",
    time: "5 minutes",
    needs: "npm's registry, and root or Debian's Java, Python and Go",
  },
  histories: {
    about: "random histories of replacements, folders and their jobs, limits, meters, updates and admissions",
    time: "one hour",
    needs: "nothing; DATABASE_URL of a cluster for Citus: docs/scale-out.md",
  },
  house: {
    about: "how hard the house is to take over: functions, migrations, columns, circles, test files, scripts",
    time: "2 seconds",
    needs: "git",
  },
  image: {
    about: "builds the container image and runs it on a read-only file system",
    time: "10 minutes",
    needs: "root and Debian's buildah, mmdebstrap and bubblewrap, or the right to install them",
  },
  migrations: {
    about: "how long a call waits while a migration changes the table of files",
    time: "one minute",
    needs: "DATABASE_URL of a database with many files",
  },
  "move-storage": {
    about: "a project of 100,000 files, or FILES=, that moves to another storage under load, with six kills",
    time: "25 minutes",
    needs: "nothing",
  },
  next: {
    about:
      "today's create-next-app with Stowage by the README and by `npm create stowage add`: developed, built, used",
    time: "15 minutes",
    needs: "npm's registry and Chromium",
  },
  nightly: {
    about:
      "long random histories, kills around each webhook, memory, a file of 20 GiB, every link of the documentation, `fuzz`",
    time: "hours, or minutes for a file: `nightly visibility`",
    needs: "Chromium, and Debian's Firefox and WebKit at the end",
  },
  pages: {
    about:
      "what pages, networks, phones and apps do with uploads and stored files: service workers, buffering proxies, Sentry, React Native, PDF.js",
    time: "40 minutes",
    needs: "npm's registry and Chromium",
  },
  release: {
    about:
      "publishes all packages into a registry on this machine, and installs them with empty folders and caches",
    time: "5 minutes",
    needs: "npm's registry",
  },
  restore: {
    about: "a backup under load with pgBackRest, a restore to a moment, and the reconciliation with storage",
    time: "3 minutes",
    needs: "root or Debian's PostgreSQL 15 and pgBackRest",
  },
  runtimes: {
    about: "Node 20 to 26, Bun, Deno, TypeScript 5.4 to 7.0, React 18 and 19, and the newest frameworks",
    time: "one hour",
    needs: "npm's registry",
  },
  screenshots: {
    about: "a picture of each page of the dashboard with example data, at four widths, light and dark",
    time: "5 minutes",
    needs: "Chromium and a build",
  },
  shadcn: {
    about: "the components of packages/registry, installed into a Next app with the shadcn command",
    time: "5 minutes",
    needs: "npm's registry and Chromium",
  },
  simulate: {
    about:
      "schedules of verbs that run at the same time: all with two preemptions, random triples (`simulate triples`), planted races (`simulate planted`)",
    time: "hours; minutes with VERBS=, RUNS= or PLANTS=",
    needs: "nothing",
  },
  sizing: {
    about: "how many bytes a file takes in PostgreSQL, by table",
    time: "3 minutes",
    needs: "nothing",
  },
  soak: {
    about: "mixed load with faults for so many minutes, `soak 30`, and then checks of every promise",
    time: "the minutes and up to 20 more",
    needs: "nothing",
  },
  swift: {
    about: "the cases of `stowage verify` on OpenStack Swift instead of dev-store",
    time: "5 minutes",
    needs: "root or Debian's Swift",
  },
  templates: {
    about:
      "every app of `npm create stowage`, and `add`: installed, built and used; one with `templates -t next`",
    time: "20 minutes",
    needs: "npm's registry and Chromium",
  },
  upgrade: {
    about: "an older version from git, or of a COMMIT, that this one replaces under load",
    time: "5 minutes",
    needs: "the history of git",
  },
};

const [name, ...args] = process.argv.slice(2);
if (name === undefined) {
  for (const [lab, { about, time, needs }] of Object.entries(labs))
    console.log(`${lab.padEnd(18)} ${about}\n${" ".repeat(18)} ${time}; needs ${needs}`);
} else if (Object.hasOwn(labs, name)) {
  const program = fileURLToPath(new URL(`./${name}.mjs`, import.meta.url));
  process.exitCode = spawnSync(process.execPath, [program, ...args], { stdio: "inherit" }).status ?? 1;
} else {
  console.error(`There is no lab "${name}". \`pnpm lab\` lists them.`);
  process.exitCode = 2;
}
