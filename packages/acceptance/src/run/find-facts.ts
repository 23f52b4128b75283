import { Context } from "../context.js";
import { Failure } from "../expect/failure.js";
import type { Facts } from "../facts.js";
import type { Answer } from "../http/answer.js";
import type { Client } from "../http/client.js";
import type { FileRecord, Upload, Usage } from "../wire.js";
import type { TenantNames } from "./tenant-names.js";

const ENOUGH_BYTES = 1024 ** 3;

/** Finds out what the target has. If a question fails, its gate stays open, so that the case reports the failure. */
export async function findFacts(
  client: Client,
  names: TenantNames,
  given: { origin: string | null; preset: string | null },
  signal: AbortSignal,
): Promise<Facts> {
  const facts: Facts = {
    ...given,
    scan: "off",
    maxFileBytes: null,
    raisesQuota: false,
    quotaBytes: ENOUGH_BYTES,
    lacks: {},
  };
  const { lacks } = facts;
  const context = new Context({ client, names, facts, signal });
  const tenant_id = names.shared;

  await ignoringFailures(async () => {
    const { quota_bytes } = (await context.get("usage", { tenant_id })).ok<Usage>();
    facts.raisesQuota = quota_bytes !== null && quota_bytes < ENOUGH_BYTES;
    if (facts.raisesQuota) await context.setQuota(tenant_id, ENOUGH_BYTES);
  });
  await ignoringFailures(async () => {
    const { paths } = (await context.send("/openapi.json")).ok<{ paths: object }>({ paths: {} });
    if (!Object.keys(paths).some((path) => path.startsWith("/api/storage/uploads")))
      lacks.multipart = "the service has no uploads by parts";
  });
  await ignoringFailures(async () => {
    const answer = await context.requestUpload({ size: undefined });
    if (answer.headers.get("x-error-code") === "size_required")
      lacks.unknownSize = "the project's setting requires a size";
    else facts.maxFileBytes = answer.ok<Upload>({}).max_bytes;
  });
  const file = await ignoringFailures(() => context.stored());
  await findScan(context, facts, file);
  await findPublicFiles(context, lacks, file);
  await findTrash(context, lacks, file);

  if (given.origin === null) lacks.cors = "no --origin was given";
  if (given.preset === null) lacks.preset = "no --preset was given";
  return facts;
}

async function findScan(context: Context, facts: Facts, file: FileRecord | undefined): Promise<void> {
  const { lacks } = facts;
  if (file && !/^[0-9a-f]{32}$/.test(file.etag ?? ""))
    lacks.plainEtags = "storage encrypts, so its ETags are no MD5";
  if (file && file.scan_status !== "none") {
    const report = await context.post("scan-result", { file_path: file.file_path, verdict: "clean" });
    facts.scan = isAnswer(report, file) ? "external" : "service";
  }
  if (facts.scan !== "off") lacks.noScan = "the project scans its files";
  if (facts.scan !== "external") lacks.externalScan = "the project's setting scan is not external";
}

async function findPublicFiles(
  context: Context,
  lacks: Facts["lacks"],
  file: FileRecord | undefined,
): Promise<void> {
  const visibility = (value: string) =>
    context.post("visibility", { file_path: file?.file_path, visibility: value });
  const hasPublicFiles = file !== undefined && isAnswer(await visibility("public"), file);
  if (hasPublicFiles) {
    await visibility("private");
    lacks.noPublicFiles = "the service has a public bucket";
  } else lacks.publicFiles = "public files are not set up";
}

async function findTrash(
  context: Context,
  lacks: Facts["lacks"],
  file: FileRecord | undefined,
): Promise<void> {
  const body = { file_path: file?.file_path };
  if (file) await context.post("delete", body);
  const hasTrash = file !== undefined && isAnswer(await context.post("restore", body), file);
  if (hasTrash) lacks.noTrash = "the project has a trash";
  else lacks.trash = "the project has no trash";
  const keepsVersions = hasTrash && (await ignoringFailures(() => findVersion(context, file)));
  if (!keepsVersions) lacks.versions = "the project keeps no versions";
}

async function findVersion(context: Context, { file_path }: FileRecord): Promise<boolean> {
  const newer = await context.stored({ replaces: file_path });
  const answer = await context.get("versions", { file_path: newer.file_path });
  return answer.ok<{ versions: FileRecord[] }>().versions.length > 0;
}

/** Whether the answer is the file, not an error. A proxy may have changed the status. */
function isAnswer(answer: Answer, { file_path }: FileRecord): boolean {
  return (
    answer.status === 200 && (answer.json as { file_path?: unknown } | undefined)?.file_path === file_path
  );
}

/** @returns undefined if it failed: the cases ask the same and report it */
async function ignoringFailures<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
