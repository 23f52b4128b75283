import type { BrowserLink } from "@stowage/schemas";
import type { UploadTransport } from "../transport.js";
import { type FileCallsDeps, pageOf } from "./fake-files.js";
import { toError } from "./fault-injection.js";

type LinkCalls = Required<Pick<UploadTransport, "share" | "links" | "revoke">>;

/** The calls of the fake transport about share links. They end with their file. Their URLs lead nowhere. */
export function createLinkCalls({ uploads, find, receive, now, options }: FileCallsDeps): LinkCalls {
  const { allowShare = true } = options;
  let lastId = 0;
  /** Newest first. */
  let links: BrowserLink[] = [];
  return {
    async share({ file_path, expires_after, max_downloads, password, disposition }, signal) {
      const body = { file_path, expires_after, max_downloads, password, disposition };
      await receive({ step: "share", body }, signal);
      if (!allowShare) throw toError("share_refused");
      if (!find(file_path).isStored) throw toError("file_not_found");
      const createdAt = now();
      const link: BrowserLink = {
        link_id: `link${++lastId}`,
        file_path,
        created_at: createdAt.toISOString(),
        expires_at: expires_after ? new Date(createdAt.getTime() + expires_after * 1000).toISOString() : null,
        max_downloads: max_downloads ?? null,
        downloads: 0,
        has_password: typeof password === "string",
        disposition: disposition ?? "attachment",
      };
      links.unshift(link);
      return { ...link, url: `https://backend.invalid/s/${link.link_id}` };
    },

    async links({ file_path, limit, cursor }, signal) {
      await receive({ step: "links", body: { file_path, limit, cursor } }, signal);
      if (!allowShare) throw toError("share_refused");
      const ofFile = links.filter((link) => link.file_path === file_path && uploads.has(file_path));
      const { items, next_cursor } = pageOf(ofFile, limit, cursor, ({ link_id }) => link_id);
      return { links: items, next_cursor };
    },

    async revoke({ file_path, link_id }, signal) {
      await receive({ step: "revoke", body: { file_path, link_id } }, signal);
      if (!allowShare) throw toError("share_refused");
      const rest = links.filter((link) => link.link_id !== link_id || link.file_path !== file_path);
      if (rest.length === links.length) throw toError("link_not_found");
      links = rest;
      return {};
    },
  };
}
