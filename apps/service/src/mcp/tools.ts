import { type Operation, operations } from "@stowage/schemas";
import * as z from "zod";

/** Something that an agent can do. */
export interface Tool {
  name: string;
  title: string;
  /** What the model reads to choose the tool. */
  description: string;
  /** Arguments with the names of the wire. */
  input: z.ZodObject;
  call: Operation;
  /** Members of the body that the agent cannot choose. */
  fixed?: Readonly<Record<string, unknown>>;
  changes?: { isDestructive: boolean };
}

const fileOfTenant = wireObject(operations.findFile.query);

/** The tools that read. */
export const readingTools: readonly Tool[] = [
  {
    name: "list_tenants",
    title: "List tenants",
    description:
      "Lists the tenants of the project, which are the users of the customer's product, with their usage and quota. Newest first, or largest first with sort=used_bytes. Pass next_cursor as cursor for the next page.",
    input: wireObject(operations.listTenants.query),
    call: operations.listTenants,
  },
  {
    name: "get_usage",
    title: "Get usage",
    description:
      "Answers the stored and reserved bytes, the files, the plan and the limits of a tenant; without tenant_id, of the project.",
    input: wireObject(operations.readUsage.query),
    call: operations.readUsage,
  },
  {
    name: "find_files",
    title: "Find files",
    description:
      "Lists files, newest first: of a tenant, or by status, part of the name (q), metadata, folder (exact) or folder_below, type, size and time. Pass next_cursor as cursor for the next page. A page can be short or empty and still have a next page.",
    input: wireObject(operations.listFiles.query),
    call: operations.listFiles,
  },
  {
    name: "get_file",
    title: "Get a file",
    description: "Answers what is recorded of one file: name, type, size, status, metadata and times.",
    input: fileOfTenant,
    call: operations.findFile,
  },
  {
    name: "sign_download",
    title: "Sign a download",
    description:
      "Answers a URL that reads one stored file until expires_at. Everyone who has the URL can read the file, so give it only to the person who asked for it.",
    input: wireObject(operations.createDownload.body),
    call: operations.createDownload,
  },
];

/** The tools that change something. An operator switches them on. */
export const writingTools: readonly Tool[] = [
  {
    name: "update_file",
    title: "Rename or move a file, or change its metadata",
    description:
      "Changes the name of a file, moves it to another folder, or merges members into its metadata: null removes a member. The file_path and the bytes stay the same.",
    input: z.object(omitCacheControl(wireObject(operations.updateFile.body).shape)),
    call: operations.updateFile,
    changes: { isDestructive: true },
  },
  {
    name: "delete_file",
    title: "Move a file to the trash",
    description:
      "Moves one stored file to the trash of the project, where it can be restored for some days. It is refused if the project has no trash, and for files on hold.",
    input: fileOfTenant,
    call: operations.deleteFiles,
    fixed: { trash_only: true },
    changes: { isDestructive: true },
  },
  {
    name: "set_limits",
    title: "Set a tenant's limits or plan",
    description:
      "Sets the plan of a tenant, or how many bytes, files, open uploads and uploads per minute it may have; null restores what its plan or its project says. A limit below what the tenant has keeps all files and refuses new uploads.",
    input: wireObject(operations.setLimits.body),
    call: operations.setLimits,
    changes: { isDestructive: false },
  },
];

/** The call takes `cache_control` only to refuse it. */
function omitCacheControl({ cache_control: _, ...shape }: z.core.$ZodLooseShape): z.core.$ZodLooseShape {
  return shape;
}

/** The object that a caller sends: the schema of a call before its names become camelCase. */
function wireObject(schema: z.ZodType): z.ZodObject {
  let inner: z.core.$ZodType = schema;
  while (inner instanceof z.ZodPipe) inner = inner.in;
  if (!(inner instanceof z.ZodObject)) throw new Error("a call takes an object");
  return inner;
}
