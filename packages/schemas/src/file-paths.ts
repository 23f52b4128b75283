import * as z from "zod";
import { filePath, optionalField, ownerTenantId } from "./fields.js";
import { limits } from "./limits.js";
import { textField } from "./text-field.js";

const eachPath = textField("each of file_paths", { max: limits.objectKeyBytes, required: true });
/** Several paths of one request. */
export const filePathList = (max: number) =>
  z
    .array(eachPath, {
      error: ({ input }) =>
        input === undefined || input === null
          ? "file_paths is required"
          : "file_paths must be a list of strings",
    })
    .min(1, { error: "file_paths must have at least 1 path" })
    .max(max, { error: `file_paths must have at most ${max} paths` });

const filePaths = filePathList(limits.deletePaths).describe(
  "Several paths in place of file_path. Some of them may be deleted already.",
);

/** Members of a request about one file or several. If there is a tenant_id, it must own every file. */
export const fileSelection = {
  file_path: optionalField(filePath),
  file_paths: optionalField(filePaths),
  tenant_id: optionalField(ownerTenantId),
};

interface FileSelection {
  file_path?: string | undefined;
  file_paths?: string[] | undefined;
  tenant_id?: string | undefined;
}

/** A request names one file or several, not both and not none. */
export const hasPaths = (body: FileSelection) =>
  body.file_path !== undefined || body.file_paths !== undefined;
export const NO_PATHS = { error: "file_path or file_paths is required" };
export const hasOneKindOfPaths = (body: FileSelection) =>
  body.file_path === undefined || body.file_paths === undefined;
export const BOTH_PATHS = { error: "file_path and file_paths must not be given together" };

/** Repeated paths count once. One path must exist; of a list, some files may be gone. */
export const toSelection = ({ file_path, file_paths, tenant_id }: FileSelection) => ({
  paths: [...new Set(file_paths ?? [file_path as string])],
  mustExist: file_path !== undefined,
  tenantId: tenant_id,
});
