import { aDownloadAnswer, aRefusal, type Answer, type FileAnswer, type Members } from "./answers.js";

/** A version as the service answers it. */
export type FakeVersion = ReturnType<typeof toVersion>;

interface Store {
  /** The stored files, newest first. */
  files: FileAnswer[];
  /** The versions of each stored file by its path, the last one first. */
  versions: Map<unknown, FakeVersion[]>;
}

/** Makes the file that an upload replaces the newest version of the file that is stored now. */
export function keepVersion({ files, versions }: Store, replaces: unknown, { file_path }: FileAnswer): void {
  const index = files.findIndex((file) => file.file_path === replaces);
  if (index === -1) return;
  const [old] = files.splice(index, 1);
  versions.set(file_path, [toVersion(old!, file_path), ...(versions.get(replaces) ?? [])]);
  versions.delete(replaces);
}

/**
 * Answers the calls on versions.
 *
 * @param call method and path
 * @returns undefined for every other call
 */
export function answerToVersions(
  call: string,
  input: Members,
  { files, versions }: Store,
): Answer | undefined {
  const isDownload = call === "POST /api/storage/download/" && input["version"] !== undefined;
  const isRestore = call === "POST /api/storage/versions/restore/";
  if (!isDownload && !isRestore && call !== "GET /api/storage/versions/") return undefined;
  const { file_path: path, tenant_id: tenantId } = input;
  const find = (wanted: unknown) =>
    files.find((file) => file.file_path === wanted && file.tenant_id === (tenantId ?? file.tenant_id));
  const restored = isRestore && find(input["version"]);
  // An earlier call has restored it.
  if (restored && versions.get(restored.file_path)?.[0]?.file_path === path)
    return { status: 200, body: restored };
  const current = find(path);
  if (current === undefined) return aRefusal(404, "file_not_found", "File not found");
  const ofFile = versions.get(path) ?? [];
  if (!isDownload && !isRestore) return { status: 200, body: { versions: ofFile } };
  const version = ofFile.find((file) => file.file_path === input["version"]);
  if (version === undefined) return aRefusal(404, "file_not_found", "File not found");
  if (isDownload) return { status: 200, body: aDownloadAnswer(version) };
  const { replaced_by: _, purge_at: __, ...stored } = { ...version, status: "stored" };
  files.splice(files.indexOf(current), 1, stored);
  versions.delete(path);
  versions.set(version.file_path, [
    toVersion(current, version.file_path),
    ...ofFile.filter((file) => file !== version),
  ]);
  return { status: 200, body: stored };
}

function toVersion(file: FileAnswer, replacedBy: unknown) {
  return { ...file, status: "trashed", purge_at: "2026-01-08T00:00:00.000Z", replaced_by: replacedBy };
}
