import {
  deleteRequest,
  downloadRequest,
  parse,
  tenantId,
  updateRequest,
  uploadRequest,
  type Visibility,
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

/** What a PUT to a URL that was used before changes the object to. */
export const REPLAYED_BYTES = 12;

type Path = "stored" | "pending" | "late" | "replacement" | "large";

const remove =
  (which: "stored" | "replaced", purge = false): Verb =>
  ({ deps }, scene) =>
    deleteFiles(deps, scene.project, parse(deleteRequest, { file_path: scene[which], purge }));
const complete =
  (which: Path): Verb =>
  ({ deps }, scene) =>
    completeUpload(deps, scene.project, { filePath: scene[which] });
/** The PUT of a browser, and its completion. */
const putAndComplete =
  (which: Path, sizeBytes: number): Verb =>
  async (replica, scene) => {
    await replica.put(scene[which], sizeBytes, () => scene.isExpired);
    await complete(which)(replica, scene);
  };
const show =
  (visibility: Visibility): Verb =>
  ({ deps }, { project, stored }) =>
    setVisibility(deps, project, { filePath: stored, tenantId: undefined, visibility });
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
  "complete one over the quota": complete("large"),
  "put again and complete": putAndComplete("pending", REPLAYED_BYTES),
  "replace the bytes": putAndComplete("stored", REPLAYED_BYTES),
  "complete the replacement": complete("replacement"),
  "put and complete": putAndComplete("late", 5),
  cancel: cancel("pending"),
  "cancel the late one": cancel("late"),
  "cancel the replacement": cancel("replacement"),
  delete: remove("stored"),
  purge: remove("stored", true),
  "delete the replaced file": remove("replaced"),
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
  publish: show("public"),
  "take back": show("private"),
  verdict: ({ deps }, { project, storedRow: { id, etag } }) =>
    recordVerdict(deps, { projectId: project.id, id }, { etag, verdict: "infected", signature: "Test" }),
  sweep: ({ deps }) => sweepUploads(deps),
  expire: async (replica, scene) => {
    // After the end of every URL and of the trash.
    await replica.advance(60 * DAY_MS);
    scene.isExpired = true;
    await endFiles(replica.deps);
    await sweepUploads(replica.deps);
  },
  erase: ({ deps }, { project }) => deleteTenant(deps, project, parse(tenantId, "t"), commandLineActor),
} satisfies Record<string, Verb>;

export type VerbName = keyof typeof verbs;
export const verbNames = Object.keys(verbs) as VerbName[];
