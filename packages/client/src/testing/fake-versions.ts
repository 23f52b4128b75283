import type { UploadTransport } from "../transport.js";
import { type FileCallsDeps, findVersion, putBack } from "./fake-files.js";
import { listedFileOf, type UploadRecord } from "./fake-uploads.js";
import { toError } from "./fault-injection.js";

type VersionCalls = Required<Pick<UploadTransport, "versions" | "restoreVersion">>;

/** Makes the file that a stored upload replaces its newest version. */
export function keepVersion(
  { uploads, versions }: Pick<FileCallsDeps, "uploads" | "versions">,
  { path, replaces }: UploadRecord,
): void {
  const old = uploads.get(replaces ?? "");
  if (!old?.isStored) return;
  uploads.delete(old.path);
  versions.set(path, [old, ...(versions.get(old.path) ?? [])]);
  versions.delete(old.path);
}

/** The calls of the fake transport about versions. It keeps all of them. */
export function createVersionCalls(deps: FileCallsDeps): VersionCalls {
  const { uploads, find, receive, versions, options } = deps;
  const { allowVersions = true } = options;
  return {
    async versions({ file_path }, signal) {
      await receive({ step: "versions", body: { file_path } }, signal);
      if (!allowVersions) throw toError("versions_refused");
      const chain = [find(file_path), ...(versions.get(file_path) ?? [])];
      const listed = chain.map((upload, index) => ({
        ...listedFileOf(upload),
        status: "trashed" as const,
        replaced_by: chain[index - 1]?.path,
      }));
      return { versions: listed.slice(1) };
    },

    async restoreVersion({ file_path, version }, signal) {
      await receive({ step: "restoreVersion", body: { file_path, version } }, signal);
      if (!allowVersions) throw toError("versions_refused");
      const current = find(file_path);
      const restored = findVersion(deps, file_path, version);
      const others = versions.get(file_path)!.filter((upload) => upload !== restored);
      versions.delete(file_path);
      versions.set(version, [current, ...others]);
      uploads.delete(file_path);
      putBack(uploads, restored);
      return listedFileOf(restored);
    },
  };
}
