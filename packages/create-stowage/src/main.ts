#!/usr/bin/env node
import { CreateError } from "./create-error.js";
import { run } from "./run.js";

const { stdin, stdout, env, versions } = process;

run(process.argv.slice(2), {
  cwd: process.cwd(),
  nodeVersion: versions.node,
  userAgent: env["npm_config_user_agent"],
  canAsk: Boolean(stdin.isTTY && stdout.isTTY && !env["CI"]),
  print: (text) => console.log(text),
}).catch((error: unknown) => {
  console.error(error instanceof CreateError ? error.message : error);
  process.exitCode = 1;
});
