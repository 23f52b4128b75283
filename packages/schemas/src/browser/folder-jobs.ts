import type * as z from "zod";
import { deleteFolderRequest } from "../calls/delete-folder.js";
import { IMPOSSIBLE_MOVE, isPossibleMove, movedFolder } from "../calls/move-folder.js";
import { readJobQuery } from "../calls/read-job.js";
import { camelKeys } from "../casing.js";
import type { Job, StartedJob } from "../job.js";

/** Body of `POST <mount>/move-folder`. `to` is the new name of the folder, not the folder to put it into. */
export const browserMoveFolderRequest = movedFolder.refine(isPossibleMove, { error: IMPOSSIBLE_MOVE });
export type BrowserMoveFolderRequest = z.output<typeof browserMoveFolderRequest>;

/** Body of `POST <mount>/delete-folder`. */
export const browserDeleteFolderRequest = deleteFolderRequest.in.pick({ folder: true });
export type BrowserDeleteFolderRequest = z.output<typeof browserDeleteFolderRequest>;

/** Answer of `POST <mount>/move-folder` and `POST <mount>/delete-folder`. */
export type BrowserStartedJob = StartedJob;

/** Query of `GET <mount>/job`. */
export const browserJobQuery = readJobQuery.in.pick({ job_id: true }).transform(camelKeys);
export type BrowserJobQuery = z.output<typeof browserJobQuery>;
/** The query in snake_case, as it is sent. */
export type BrowserJobQueryInput = z.input<typeof browserJobQuery>;

/** Answer of `GET <mount>/job`: how far the move or the delete of a folder is. The tenant ID stays on the server. */
export type BrowserJob = Omit<Job, "tenant_id">;
