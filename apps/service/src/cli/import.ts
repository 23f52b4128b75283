import { readFileSync } from "node:fs";
import { snakeKeys, tenantId } from "@stowage/schemas";
import { type Command, InvalidArgumentError } from "commander";
import type { SourceOptions } from "#compose-import.js";
import { readConfig } from "#config.js";
import { importObjects, type ImportResult, readProject } from "#import/import-objects.js";
import { PatternError, readPattern } from "#import/key-pattern.js";
import type { PlacingRules } from "#import/place-object.js";
import { type ImportPlan, planImport } from "#import/plan-import.js";
import { countLeft } from "#import/skipped.js";
import { openTable } from "#import/table-file.js";
import { ConfigError, type Environment } from "#settings/parse-settings.js";
import { httpUrl } from "./arguments.js";
import { actorOf, createCommandOfProject, type ProjectOptions, withDeps } from "./command.js";
import {
  createReporter,
  EXIT_CODE_LEFT,
  type OtherStoreOptions,
  printSkipped,
  readOtherBucket,
  readPlace,
} from "./other-store.js";
import { printJson, printTable } from "./print.js";

interface Options extends ProjectOptions, OtherStoreOptions {
  from: string;
  filesEndpoint?: string;
  pattern?: string;
  tenant?: string;
  owners?: string;
  table?: string;
  dryRun?: true;
  allowOverQuota?: true;
}

/** `stowage import`: exits with 2 if objects are left. */
export function importCommand(env: Environment): Command {
  return createCommandOfProject(
    "import",
    "copy objects of another store into a project; repeat the command to go on",
    "files",
  )
    .requiredOption("--from <source>", "s3://BUCKET/PREFIX, supabase://BUCKET/PREFIX or uploadthing")
    .option(
      "--endpoint <url>",
      "the S3 endpoint, the URL of the Supabase project, or UploadThing's API",
      httpUrl,
    )
    .option("--files-endpoint <url>", "where UploadThing's files are", httpUrl)
    .option("--region <region>", "of S3", "us-east-1")
    .option("--pattern <pattern>", "what keys say, such as users/{tenant}/{folder}/{filename}")
    .option("--tenant <tenant_id>", "the tenant of all objects", tenantOfAll)
    .option("--owners <file>", 'the tenants of objects, a line of JSON for each: {"key":…,"tenant_id":…}')
    .option("--table <file>", "where it writes which object became which file; a later run goes on from it")
    .option("--dry-run", "only say what would be imported")
    .option("--allow-over-quota", "import also what is beyond a quota or a limit of files")
    .action(async (options: Options) => {
      const { table: path, dryRun = false } = options;
      if (path === undefined && !dryRun) throw new ConfigError("Say --table a file, or --dry-run.");
      const rules = readRules(options);
      const source = readSource(env, options);
      const { onProgress, onSending } = createReporter(options, "importing");
      // It loads the AWS SDK.
      const { composeImportCommand } = await import("#compose-import.js");
      await withDeps(composeImportCommand(readConfig(env), source, onSending), async (deps) => {
        const actor = await actorOf(deps, options.project);
        const opened = { ...(await deps.open(actor.project)), rules };
        const table = path === undefined ? null : await openTable(path, "import", !dryRun);
        try {
          if (dryRun || !table) {
            const done = table?.done ?? new Map<string, string>();
            const project = await readProject(opened, actor.project);
            return printPlan(await planImport({ ...opened, done }, project), options);
          }
          const input = {
            allowOverQuota: options.allowOverQuota ?? false,
            options: {
              pattern: options.pattern ?? null,
              tenant: options.tenant ?? null,
              owners: options.owners ?? null,
            },
          };
          printResult(await importObjects({ ...opened, table }, actor, input, onProgress), options);
        } finally {
          await table?.close();
        }
      });
    });
}

/** @throws {ConfigError} unless exactly one option says the tenants of the objects */
function readRules({ pattern: text, tenant, owners }: Options): PlacingRules {
  const pattern = text === undefined ? null : readPatternOption(text);
  const sayTenants = [pattern?.hasTenant === true, tenant !== undefined, owners !== undefined];
  if (sayTenants.filter(Boolean).length !== 1)
    throw new ConfigError("Say the tenants by {tenant} in --pattern, by --tenant, or by --owners.");
  return { pattern, tenantId: tenant ?? null, owners: owners === undefined ? null : readOwners(owners) };
}

function readPatternOption(text: string) {
  try {
    return readPattern(text);
  } catch (error) {
    if (error instanceof PatternError) throw new ConfigError(`--pattern ${error.message}.`);
    throw error;
  }
}

/** @throws {ConfigError} if the file cannot be read, or a line is none of the format */
function readOwners(file: string): ReadonlyMap<string, string> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new ConfigError(`--owners: the file cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  const owners = new Map<string, string>();
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const owner = parseOwner(line);
    if (!owner)
      throw new ConfigError(`--owners: line ${index + 1} must be {"key":"…","tenant_id":"…"}, both texts.`);
    owners.set(...owner);
  }
  return owners;
}

function parseOwner(line: string): [key: string, tenantId: string] | null {
  try {
    const { key, tenant_id } = JSON.parse(line) as Record<string, unknown>;
    const owner = tenantId.safeParse(tenant_id);
    return typeof key === "string" && owner.success ? [key, owner.data] : null;
  } catch {
    return null;
  }
}

/** @throws {ConfigError} */
function readSource(env: Environment, options: Options): SourceOptions {
  const { from, endpoint, filesEndpoint } = options;
  if (from === "uploadthing")
    return {
      kind: "uploadthing",
      token: required(env, "UPLOADTHING_TOKEN"),
      endpoint: endpoint && withoutSlash(endpoint),
      filesEndpoint: filesEndpoint && withoutSlash(filesEndpoint),
    };
  if (from.startsWith("supabase:")) {
    if (endpoint === undefined)
      throw new ConfigError("Say --endpoint the URL of the project, such as https://abc.supabase.co.");
    const key = required(env, "SUPABASE_SECRET_KEY");
    return {
      kind: "supabase",
      endpoint: withoutSlash(endpoint),
      key,
      ...readPlace(from, "supabase", "--from"),
    };
  }
  return readOtherBucket(env, from, "--from", options, {
    id: "SOURCE_ACCESS_KEY_ID",
    secret: "SOURCE_SECRET_ACCESS_KEY",
  });
}

function tenantOfAll(text: string): string {
  const parsed = tenantId.safeParse(text);
  if (!parsed.success) throw new InvalidArgumentError("must be a tenant_id, as an upload has it");
  return parsed.data;
}

const withoutSlash = (url: string) => url.replace(/\/+$/, "");

function required(env: Environment, name: string): string {
  const value = env[name];
  if (!value) throw new ConfigError(`Set ${name}.`);
  return value;
}

const MAX_SHOWN_TENANTS = 20;

function printPlan(plan: ImportPlan, { json }: Options): void {
  const { files, bytes, tenants, done, skipped, overQuota } = plan;
  if (countLeft(skipped) > 0 || overQuota.length > 0) process.exitCode = EXIT_CODE_LEFT;
  if (json)
    return printJson({
      files,
      bytes,
      tenants,
      done,
      skipped,
      over_quota: overQuota.map((one) => snakeKeys(one)),
    });
  console.log(
    `Would import ${files} files of ${tenants} tenants, with ${bytes} bytes. Imported before: ${done}`,
  );
  printSkipped(skipped);
  if (overQuota.length === 0) return;
  console.log(`Beyond a quota or a limit of files: ${overQuota.length} tenants`);
  printTable(
    ["FILES", "BYTES", "EXCESS BYTES", "EXCESS FILES", "TENANT"],
    overQuota
      .slice(0, MAX_SHOWN_TENANTS)
      .map((one) => [one.files, one.bytes, one.excessBytes, one.excessFiles, one.tenantId]),
  );
}

function printResult({ files, bytes, done, skipped }: ImportResult, { json }: Options): void {
  if (countLeft(skipped) > 0) process.exitCode = EXIT_CODE_LEFT;
  if (json) return printJson({ files, bytes, done, skipped });
  console.log(`Imported ${files} files with ${bytes} bytes. Imported before: ${done}`);
  printSkipped(skipped);
}
