import { text } from "node:stream/consumers";
import { createLinkRequest, listLinksQuery, parse, revokeLinkRequest, snakeKeys } from "@stowage/schemas";
import { Command } from "commander";
import { composeLinkCommands } from "#compose-cli.js";
import { readOperatorConfig } from "#config.js";
import { type LinkRecord, listLinks } from "#files/list/list-links.js";
import { createLinkAudited } from "#links/create-link.js";
import { revokeLinkAudited } from "#links/revoke-link.js";
import { findProjectByRef } from "#projects/find-project.js";
import type { Environment } from "#settings/parse-settings.js";
import { actorOf, createCommandOfProject, type ProjectOptions, withDatabase, withDeps } from "./command.js";
import { printJson, printTable } from "./print.js";

/** `stowage link …` */
export function linkCommand(env: Environment): Command {
  return new Command("link")
    .description("create, list and revoke links that share a file")
    .addCommand(createCommand(env))
    .addCommand(listCommand(env))
    .addCommand(revokeCommand(env));
}

interface CreateOptions extends ProjectOptions {
  expiresAfter?: string;
  maxDownloads?: string;
  disposition?: string;
  passwordStdin?: true;
}

function createCommand(env: Environment): Command {
  return createCommandOfProject("create", "create a link and print its URL, which is shown only once", "file")
    .argument("<file_path>")
    .option("--expires-after <seconds>", "when the link ends")
    .option("--max-downloads <number>", "how often it can be used")
    .option("--disposition <attachment|inline>", "inline shows the file in the browser where it can")
    .option("--password-stdin", "read the password of the link from the first line of stdin")
    .action(async (path: string, { project, json, ...given }: CreateOptions) => {
      const input = parse(createLinkRequest, {
        file_path: path,
        expires_after: numberOf(given.expiresAfter),
        max_downloads: numberOf(given.maxDownloads),
        disposition: given.disposition,
        password: given.passwordStdin && (await text(process.stdin)).split(/\r?\n/, 1)[0],
      });
      const link = await withDeps(composeLinkCommands(readOperatorConfig(env)), async (deps) =>
        createLinkAudited(deps, await actorOf(deps, project), input),
      );
      if (json) return printJson(snakeKeys(link));
      console.log(`Link ${link.linkId}\nURL (shown only once): ${link.url}`);
    });
}

/** The schema refuses what is no number. */
const numberOf = (option: string | undefined) => (option === undefined ? undefined : Number(option || NaN));

interface ListOptions extends ProjectOptions {
  tenant?: string;
  file?: string;
  cursor?: string;
}

function listCommand(env: Environment): Command {
  return createCommandOfProject("list", "list the links of a tenant or of a file, newest first", "links")
    .option("--tenant <tenant_id>", "your ID of the tenant")
    .option("--file <file_path>", "only links of this file")
    .option("--cursor <next_cursor>", "continue after the page that ended with it")
    .action(async ({ project: ref, tenant: tenant_id, file: file_path, cursor, json }: ListOptions) => {
      const query = parse(listLinksQuery, { tenant_id, file_path, cursor, limit: 100 });
      const { links, nextCursor } = await withDatabase(env, async (deps) =>
        listLinks(deps, await findProjectByRef(deps, ref), query),
      );
      if (json) return printJson({ links: links.map((link) => snakeKeys(link)), next_cursor: nextCursor });
      printTable(["LINK", "DOWNLOADS", "ENDS", "PASSWORD", "FILE"], links.map(toRow));
      if (nextCursor !== null) console.log(`More: --cursor ${nextCursor}`);
    });
}

function toRow({ linkId, downloads, maxDownloads, expiresAt, hasPassword, filePath }: LinkRecord): string[] {
  const ofMax = maxDownloads === null ? "" : ` of ${maxDownloads}`;
  return [linkId, `${downloads}${ofMax}`, expiresAt ?? "never", hasPassword ? "yes" : "no", filePath];
}

function revokeCommand(env: Environment): Command {
  return createCommandOfProject("revoke", "end a link", "link")
    .argument("<link_id>")
    .action(async (linkId: string, { project, json }: ProjectOptions) => {
      const input = parse(revokeLinkRequest, { link_id: linkId });
      const link = await withDatabase(env, async (deps) =>
        revokeLinkAudited(deps, await actorOf(deps, project), input),
      );
      if (json) return printJson(snakeKeys(link));
      console.log(`The link ${linkId} was revoked after ${link.downloads} downloads.`);
    });
}
