import type { Command } from "commander";
import { readConfig } from "#config.js";
import { exportProject } from "#export/export-project.js";
import { countLeft } from "#import/skipped.js";
import { openTable } from "#import/table-file.js";
import { ConfigError, type Environment } from "#settings/parse-settings.js";
import { count, httpUrl } from "./arguments.js";
import { actorOf, createCommandOfProject, type ProjectOptions, withDeps } from "./command.js";
import {
  createReporter,
  EXIT_CODE_LEFT,
  type OtherStoreOptions,
  printSkipped,
  readOtherBucket,
} from "./other-store.js";
import { printJson } from "./print.js";

interface Options extends ProjectOptions, OtherStoreOptions {
  to: string;
  table: string;
}

/** `stowage export`: exits with 2 if files are left. */
export function exportCommand(env: Environment): Command {
  return createCommandOfProject(
    "export",
    "copy the files of a project to another bucket; repeat the command to go on",
    "files",
  )
    .requiredOption("--to <target>", "s3://BUCKET/PREFIX")
    .option("--endpoint <url>", "the S3 endpoint", httpUrl)
    .option("--region <region>", "of S3", "us-east-1")
    .option("--max-parts <count>", "the largest part number that it takes, if not 10000", count)
    .requiredOption("--table <file>", "where it writes what each object is; a later run goes on from it")
    .action(async (options: Options) => {
      const target = readOtherBucket(env, options.to, "--to", options, {
        id: "TARGET_ACCESS_KEY_ID",
        secret: "TARGET_SECRET_ACCESS_KEY",
      });
      const { onProgress, onSending } = createReporter(options, "exporting");
      // It loads the AWS SDK.
      const { composeExportCommand } = await import("#compose-import.js");
      await withDeps(composeExportCommand(readConfig(env), target, onSending), async (deps) => {
        if (deps.isOwn) throw new ConfigError("--to must be another bucket than those of the service.");
        const actor = await actorOf(deps, options.project);
        const opened = await deps.open(actor.project);
        const table = await openTable(options.table, "export");
        try {
          const { files, bytes, done, skipped } = await exportProject(
            { ...opened, table },
            actor,
            onProgress,
          );
          if (countLeft(skipped) > 0) process.exitCode = EXIT_CODE_LEFT;
          if (options.json) return printJson({ files, bytes, done, skipped });
          console.log(`Exported ${files} files with ${bytes} bytes. Exported before: ${done}`);
          printSkipped(skipped);
        } finally {
          await table.close();
        }
      });
    });
}
