import {
  deleteRequest,
  downloadRequest,
  parse,
  tenantId,
  updateRequest,
  uploadRequest,
} from "@stowage/schemas";
import { commandLineActor } from "#audit/caller.js";
import { createDownload } from "#deliver/create-download.js";
import { deleteFiles } from "#files/delete/delete-files.js";
import { endFiles } from "#files/lifecycle/end-files.js";
import { restoreFiles } from "#files/lifecycle/restore-files.js";
import { holdFile } from "#files/lifecycle/set-hold.js";
import { updateFile } from "#files/organise/update-file.js";
import { completeUpload } from "#files/settle/complete-upload.js";
import { sweepUploads } from "#files/sweep/sweep-uploads.js";
import { cancelUpload } from "#files/upload/cancel-upload.js";
import { requestUpload } from "#files/upload/request-upload.js";
import { DAY_MS } from "#lib/time.js";
import { deleteTenant } from "#purge/delete-tenant.js";
import { recordVerdict } from "#scans/record-verdict.js";
import { setVisibility } from "#visibility/set-visibility.js";
import type { Replica } from "./a-replica.js";
import type { Scene } from "./a-scene.js";

/** A verb of the product that takes part in a schedule. */
type Verb = (replica: Replica, scene: Scene) => Promise<unknown>;

type Path = "stored" | "pending" | "late" | "replacement";

const remove =
  (purge: boolean): Verb =>
  ({ deps }, { project, stored }) =>
    deleteFiles(deps, project, parse(deleteRequest, { file_path: stored, purge }));
const complete =
  (which: Path): Verb =>
  ({ deps }, scene) =>
    completeUpload(deps, scene.project, { filePath: scene[which] });
const cancel =
  (which: Path): Verb =>
  ({ deps }, scene) =>
    cancelUpload(deps, scene.project, { filePath: scene[which], tenantId: undefined });
const admit = ({ deps }: Replica, { project }: Scene, body: object, idempotencyKey?: string) =>
  requestUpload(
    deps,
    project,
    parse(uploadRequest, { tenant_id: "t", filename: "new.txt", ...body }),
    idempotencyKey,
  );

/** The verbs that meet each other: docs/simulation.md. */
export const verbs = {
  admit: (replica, scene) => admit(replica, scene, { size: 20 }),
  "admit a repeated request": (replica, scene) =>
    admit(replica, scene, { filename: "once.txt", size: 5 }, "key"),
  "admit a replacement": (replica, scene) => admit(replica, scene, { size: 30, replaces: scene.stored }),
  complete: complete("pending"),
  "complete the replacement": complete("replacement"),
  "put and complete": async (replica, scene) => {
    await replica.put(scene.late, 5, () => scene.isExpired);
    await complete("late")(replica, scene);
  },
  cancel: cancel("pending"),
  "cancel the late one": cancel("late"),
  "cancel the replacement": cancel("replacement"),
  delete: remove(false),
  purge: remove(true),
  restore: ({ deps }, { project, trashed }) =>
    restoreFiles(deps, project, { paths: [trashed], mustExist: true, tenantId: undefined }),
  hold: ({ deps }, { project, stored }) =>
    holdFile(deps, project, { filePath: stored, tenantId: undefined, hold: true }),
  "hold the replaced file": ({ deps }, { project, replaced }) =>
    holdFile(deps, project, { filePath: replaced, tenantId: undefined, hold: true }),
  move: ({ deps }, { project, stored }) =>
    updateFile(deps, project, parse(updateRequest, { file_path: stored, folder: "elsewhere" })),
  download: ({ deps }, { project, stored }) =>
    createDownload(deps, project, parse(downloadRequest, { file_path: stored })),
  publish: ({ deps }, { project, stored }) =>
    setVisibility(deps, project, { filePath: stored, tenantId: undefined, visibility: "public" }),
  verdict: ({ deps }, { project, storedRow: { id, etag } }) =>
    recordVerdict(deps, { projectId: project.id, id }, { etag, verdict: "infected", signature: "Test" }),
  sweep: ({ deps }) => sweepUploads(deps),
  expire: async (replica, scene) => {
    // After the end of every URL and of the trash.
    scene.isExpired = true;
    replica.setAhead(60 * DAY_MS);
    await endFiles(replica.deps);
    await sweepUploads(replica.deps);
  },
  erase: ({ deps }, { project }) => deleteTenant(deps, project, parse(tenantId, "t"), commandLineActor),
} satisfies Record<string, Verb>;

export type VerbName = keyof typeof verbs;
export const verbNames = Object.keys(verbs) as VerbName[];
