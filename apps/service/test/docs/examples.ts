import { type Operation, type OperationId, operations } from "@stowage/schemas";

/** One call of the page. The examples run in the order of `operations`, so each may use the responses of earlier ones. */
export interface Example extends Scene {
  operation: OperationId;
  /**
   * Members of the query or the body. `$FILE_PATH` stands for the path in the response to the upload request, `$UPLOAD_PATH` for that
   * of the upload by parts, `$LINK_ID` for the id of the link, `$JOB_ID` for that of the job, `$VERSION_PATH` for a file that `$FILE_PATH`
   * replaced.
   */
  send: Readonly<Record<string, unknown>>;
}

/** What else happens to an example. */
interface Scene {
  /** The page and the test send the file with PUT after this call. */
  isFollowedByPut?: true;
  /** The same for the signed part. */
  isFollowedByPart?: true;
  /** `$FILE_PATH` names another upload, which the test requests before this call and whose file is never sent. */
  isForUnsentUpload?: true;
  /** Before this call, the test replaces the file: its path is `$VERSION_PATH` from then on. */
  isOfReplacedFile?: true;
}

const scenes: Partial<Record<OperationId, Scene>> = {
  requestUpload: { isFollowedByPut: true },
  cancelUpload: { isForUnsentUpload: true },
  listVersions: { isOfReplacedFile: true },
  signParts: { isFollowedByPart: true },
};

export const examples: Example[] = Object.entries<Operation>(operations).flatMap(([id, { example }]) =>
  example ? [{ operation: id as OperationId, send: example, ...scenes[id as OperationId] }] : [],
);
