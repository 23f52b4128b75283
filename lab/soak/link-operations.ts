import type { CreateLinkResponse, Link } from "@stowage/schemas";
import type { Sql } from "postgres";
import { isRight } from "./contents.js";
import type { SoakFile } from "./ledger.js";
import { isSurely, type LoadState, type SoakLink, withFiles } from "./load-state.js";

const MAX_DOWNLOADS = 3;

/** Creates a link, visits it more often than it may be used, and sometimes revokes it. */
export function shareOne(state: LoadState): Promise<boolean> {
  const isWanted = (file: SoakFile) =>
    isSurely(state, file, "stored") &&
    file.isRecorded &&
    !file.ends &&
    !state.projects[file.project]!.isScanned;
  return withFiles(state, 1, isWanted, async ([taken]) => {
    const file = taken!;
    const { client, random } = state;
    const { apiKey: key } = state.projects[file.project]!;
    const maxDownloads = 1 + random.below(MAX_DOWNLOADS);
    state.mayHaveMade.share_links++;
    const body = { file_path: file.path, max_downloads: maxDownloads };
    const made = await client.call<CreateLinkResponse>({ name: "create link", path: "links/", key, body });
    if (made === null) return;
    if (made.status !== 200) return state.onWrong(`create link: ${made.status} ${made.code} of ${file.path}`);
    const id = made.body.link_id;
    const link: SoakLink = { id, file, maxDownloads, used: 0, mayBeUsed: 0, revoked: "no" };
    state.links.push(link);
    const path = new URL(made.body.url).pathname;
    const visits = Array.from({ length: random.below(maxDownloads + 2) }, () => visit(state, link, path));
    const urls = (await Promise.all(visits)).filter((url) => url !== null);
    if (link.used + link.mayBeUsed < Math.min(visits.length, maxDownloads))
      state.onWrong(`${link.used} of ${maxDownloads} downloads by a link of ${file.path}`);
    if (urls[0]) {
      const object = await client.get(urls[0]);
      if (object?.status === 200 && !isRight(file, object.bytes))
        state.onWrong(`wrong bytes by a link: ${file.path}`);
    }
    if (random.next() < 0.5) await revoke(state, link, path);
  });
}

/** @returns the URL to which the link redirects */
async function visit(state: LoadState, link: SoakLink, path: string): Promise<string | null> {
  const answer = await state.client.visit(path);
  if (answer === null) link.mayBeUsed++;
  else if (answer.status === 302) link.used++;
  else if (answer.status !== 404) state.onWrong(`a link answered ${answer.status}`);
  if (link.used > link.maxDownloads) state.onWrong(`a link was used too often: ${link.file.path}`);
  return answer?.location ?? null;
}

async function revoke(state: LoadState, link: SoakLink, path: string): Promise<void> {
  const { apiKey: key } = state.projects[link.file.project]!;
  const body = { link_id: link.id };
  const answer = await state.client.call<Link>({ name: "revoke link", path: "links/revoke/", key, body });
  link.revoked = answer === null ? "unknown" : "yes";
  if (answer === null) return;
  if (answer.status !== 200) return state.onWrong(`revoke link: ${answer.status} of ${link.file.path}`);
  if (!isCounted(link, answer.body.downloads))
    state.onWrong(`${answer.body.downloads} downloads, but ${link.used} were answered: ${link.file.path}`);
  const later = await state.client.visit(path);
  if (later && later.status !== 404) state.onWrong(`a revoked link answered ${later.status}`);
}

const isCounted = ({ used, mayBeUsed }: SoakLink, downloads: number) =>
  downloads >= used && downloads <= used + mayBeUsed;

/** Compares the rows of links with what their visitors got. */
export async function findWrongLinks(sql: Sql, { links, mayHaveMade }: LoadState): Promise<string[]> {
  const rows = await sql<{ ref: string; downloads: string; path: string }[]>`
    select l.ref, l.downloads, f.path from share_links l join files f on f.project_id = l.project_id and f.id = l.file_id`;
  const byRef = new Map(rows.map((row) => [row.ref, row]));
  const wrong: string[] = [];
  for (const link of links) {
    const row = byRef.get(link.id);
    byRef.delete(link.id);
    const { states, path } = link.file;
    const mayBeGone = states.has("gone") || link.revoked !== "no";
    const mustBeGone = (states.size === 1 && states.has("gone")) || link.revoked === "yes";
    if (row ? mustBeGone : !mayBeGone) wrong.push(`a link is ${row ? "left" : "lost"}: ${path}`);
    if (row && (row.path !== path || !isCounted(link, Number(row.downloads))))
      wrong.push(`${row.downloads} downloads of ${row.path}, but ${link.used} were answered: ${path}`);
  }
  if (byRef.size > mayHaveMade.share_links - links.length)
    wrong.push(`${byRef.size} links that no answer named`);
  return wrong;
}
