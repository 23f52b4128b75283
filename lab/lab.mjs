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
  house: {
    about: "how hard the house is to take over: functions, migrations, columns, circles, test files, scripts",
    time: "2 seconds",
    needs: "git",
  },
  next: {
    about:
      "today's create-next-app with Stowage by the README and by `npm create stowage add`: developed, built, used",
    time: "15 minutes",
    needs: "npm's registry and Chromium",
  },
  runtimes: {
    about: "Node 20 to 26, Bun, Deno, TypeScript 5.4 to 7.0, React 18 and 19, and the newest frameworks",
    time: "one hour",
    needs: "npm's registry",
  },
};

const [name, ...args] = process.argv.slice(2);
if (name === undefined) {
  for (const [lab, { about, time, needs }] of Object.entries(labs))
    console.log(`${lab.padEnd(12)} ${about}\n${" ".repeat(12)} ${time}; needs ${needs}`);
} else if (Object.hasOwn(labs, name)) {
  const program = fileURLToPath(new URL(`./${name}.mjs`, import.meta.url));
  process.exitCode = spawnSync(process.execPath, [program, ...args], { stdio: "inherit" }).status ?? 1;
} else {
  console.error(`There is no lab "${name}". \`pnpm lab\` lists them.`);
  process.exitCode = 2;
}
