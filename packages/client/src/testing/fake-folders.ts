import type { BrowserJob } from "@stowage/schemas";
import type { UploadTransport } from "../transport.js";
import { type FileCallsDeps, pageOf, totalSize } from "./fake-files.js";
import type { UploadRecord } from "./fake-uploads.js";
import { toError } from "./fault-injection.js";

type FolderCalls = Required<Pick<UploadTransport, "folders" | "moveFolder" | "deleteFolder" | "job">>;

/** The calls of the fake transport about folders. A job is done at once. The files of a deleted folder cannot be restored. */
export function createFolderCalls({ uploads, receive, now, options }: FileCallsDeps): FolderCalls {
  const { allowFolders = true, allowFolderJobs = true } = options;
  const jobs = new Map<string, BrowserJob>();
  const stored = () => [...uploads.values()].filter(({ isStored }) => isStored);

  /** Applies a change to each file in the folder and below it. */
  function runJob(kind: BrowserJob["kind"], folder: string, change: (upload: UploadRecord) => void) {
    if (!allowFolderJobs) throw toError("folder_job_refused");
    if (!allowFolders) throw toError("folder_refused");
    const files = stored().filter((upload) => isIn(folder, upload));
    for (const file of files) change(file);
    const job_id = `job${jobs.size + 1}`;
    const time = now().toISOString();
    const counts = { total: files.length, done: files.length, kept: 0 };
    jobs.set(job_id, { job_id, kind, state: "done", ...counts, created_at: time, ended_at: time });
    return { job_id };
  }

  return {
    async folders({ parent = "", limit, cursor }, signal) {
      await receive({ step: "folders", body: { parent, limit, cursor } }, signal);
      if (!allowFolders) throw toError("folder_refused");
      const all = foldersIn(parent, stored());
      const { items, next_cursor } = pageOf(all, limit, cursor, ({ folder }) => folder);
      return { folders: items, next_cursor };
    },

    async moveFolder({ from, to }, signal) {
      await receive({ step: "moveFolder", body: { from, to } }, signal);
      return runJob("move_folder", from, (upload) => {
        upload.folder = [to, upload.folder.slice(from.length + 1)].filter(Boolean).join("/");
      });
    },

    async deleteFolder({ folder }, signal) {
      await receive({ step: "deleteFolder", body: { folder } }, signal);
      return runJob("delete_folder", folder, ({ path }) => uploads.delete(path));
    },

    async job({ job_id }, signal) {
      await receive({ step: "job", body: { job_id } }, signal);
      const job = jobs.get(job_id);
      if (!job) throw toError("job_not_found");
      return job;
    },
  };
}

const isIn = (folder: string, upload: UploadRecord) => `${upload.folder}/`.startsWith(`${folder}/`);

/** The folders directly in `parent`, by name, with what is in them and below. */
function foldersIn(parent: string, uploads: UploadRecord[]) {
  const prefix = parent === "" ? "" : `${parent}/`;
  const inside = uploads.filter(
    ({ folder }) => folder !== "" && folder !== parent && folder.startsWith(prefix),
  );
  const nameOf = ({ folder }: UploadRecord) => prefix + folder.slice(prefix.length).split("/")[0]!;
  return [...new Set(inside.map(nameOf))].toSorted().map((folder) => {
    const files = inside.filter((upload) => nameOf(upload) === folder);
    return { folder, file_count: files.length, used_bytes: totalSize(files) };
  });
}
