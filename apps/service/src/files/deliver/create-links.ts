import { StowageError } from "@stowage/schemas";
import type { FileInput } from "@stowage/schemas/dashboard";
import type { Queries } from "#db/client.js";
import type { ObjectStore } from "#object-store/object-store.js";
import type { Project } from "#projects/find-project.js";
import { deliver, previewKindOf, type PreviewKind } from "./delivery.js";
import { readFile } from "#files/read-file.js";

export interface CreateLinksDeps {
  db: Queries;
  store: Pick<ObjectStore, "presignGet">;
  clock: () => Date;
}

export interface FileLinks {
  /** Shows the file in place; null for a type that is only ever saved. */
  previewUrl: string | null;
  previewKind: PreviewKind | null;
  /** Saves the file under its name. */
  downloadUrl: string;
  /** Of both. */
  expiresAt: string;
}

/** Long enough for a click, and for a player to have read all of a film's index. */
const LINK_SECONDS = 5 * 60;

/**
 * Signs URLs by which an operator's browser sees and saves one stored file. They read from storage's own origin, and what a
 * browser would run is never shown in place: see {@link deliver}.
 *
 * @throws {StowageError} `file_not_found`, also for a file that is not stored (yet, or any more); `unavailable`
 */
export async function createLinks(
  deps: CreateLinksDeps,
  project: Project,
  input: FileInput,
): Promise<FileLinks> {
  const file = await readFile(deps, project, input);
  if (file.status !== "stored") throw new StowageError("file_not_found");
  // Signing knows whole seconds only: the answer must not promise more than the URL keeps.
  const signedAt = new Date(Math.floor(deps.clock().getTime() / 1000) * 1000);
  const sign = (disposition: "inline" | "attachment") =>
    deps.store.presignGet({
      path: file.path,
      ...deliver({ ...file, disposition }),
      signedAt,
      expiresInSeconds: LINK_SECONDS,
    });
  const previewKind = previewKindOf(file.contentType);
  return {
    previewUrl: previewKind && (await sign("inline")),
    previewKind,
    downloadUrl: await sign("attachment"),
    expiresAt: new Date(signedAt.getTime() + LINK_SECONDS * 1000).toISOString(),
  };
}
