import type { UploadTransport } from "../transport.js";
import { UploadError, type UploadErrorCode } from "../upload-error.js";
import type { FilesCommands, ShareLink } from "./files-settings.js";

const LINKS_PER_CALL = 100;

/** The commands of a files store for share links. @param answerOf makes the calls, and gives their failures a message */
export function createLinkCommands(
  answerOf: <Answer>(
    call: (transport: UploadTransport, signal: AbortSignal) => Promise<Answer>,
  ) => Promise<Answer>,
): Pick<FilesCommands, "share" | "linksOf" | "revokeLink"> {
  return {
    share: ({ file_path }, { expiresAfter, maxDownloads, password, disposition } = {}) =>
      answerOf((transport, signal) =>
        required(transport.share, "share_refused").call(
          transport,
          { file_path, expires_after: expiresAfter, max_downloads: maxDownloads, password, disposition },
          signal,
        ),
      ),

    linksOf: ({ file_path }) =>
      answerOf(async (transport, signal) => {
        const list = required(transport.links, "share_refused");
        const all: ShareLink[] = [];
        for (let cursor: string | null | undefined; cursor !== null;) {
          const query = { file_path, limit: LINKS_PER_CALL, cursor };
          const page = await list.call(transport, query, signal);
          all.push(...page.links);
          cursor = page.next_cursor;
        }
        return all;
      }),

    revokeLink: ({ file_path, link_id }) =>
      answerOf(async (transport, signal) => {
        const revoke = required(transport.revoke, "share_refused");
        try {
          await revoke.call(transport, { file_path, link_id }, signal);
        } catch (cause) {
          const isGone = cause instanceof UploadError && cause.code === "link_not_found";
          if (!isGone) throw cause;
        }
      }),
  };
}

/** @throws {UploadError} with this code, if the transport has no such method */
export function required<Method>(method: Method | undefined, code: UploadErrorCode): Method {
  if (method) return method;
  throw new UploadError(code);
}
