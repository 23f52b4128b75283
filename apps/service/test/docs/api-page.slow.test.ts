import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  type CreateLinkResponse,
  type OpenUploadResponse,
  type Operation,
  operations,
  type SignPartsResponse,
  type StartedJob,
  type UploadResponse,
} from "@stowage/schemas";
import { expect, inject, test } from "vitest";
import { aProject } from "../fixtures/a-project.js";
import { aService } from "../fixtures/a-service.js";
import { aStoredFile } from "../fixtures/a-stored-file.js";
import { anUpload, call, putBytes } from "../fixtures/call.js";
import { queryDatabase } from "../fixtures/direct-access.js";
import { curlLine } from "./curl-line.js";
import { type Example, examples } from "./examples.js";
import { redact } from "./redact.js";
import { renderPage, type RunExample } from "./render-page.js";

const PAGE = fileURLToPath(new URL("../../../../docs/api.md", import.meta.url));

/** Runs the curl command that the page shows. Without a shell or curl, sends the same request with fetch. */
async function run(example: Example, variables: Record<string, string>): Promise<unknown> {
  try {
    const { stdout } = await promisify(execFile)("sh", ["-c", curlLine(example)], {
      env: { PATH: process.env["PATH"], ...variables },
    });
    return parseAnswer(operations[example.operation], stdout);
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code !== 127 && code !== "ENOENT") throw error;
    return withoutCurl(example, variables);
  }
}

/** A stream of JSON values becomes a list. */
function parseAnswer({ isStream }: Operation, text: string): unknown {
  return isStream
    ? text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown)
    : JSON.parse(text);
}

async function withoutCurl({ operation: id, send }: Example, variables: Record<string, string>) {
  const { method, path, query, body }: Operation = operations[id];
  const text = JSON.stringify(send).replaceAll(/\$(\w+)/g, (_, name: string) => variables[name] ?? "");
  const filled = JSON.parse(text) as Record<string, string>;
  const search = query ? `?${new URLSearchParams(filled).toString()}` : "";
  const url = `${variables["STOWAGE"]}${path}${search}`;
  return (await call(url, { method, key: variables["KEY"]!, ...(body ? { body: filled } : {}) })).body;
}

const anUnsentFile = { tenant_id: "user_42", filename: "hello.txt", size: 6 };

test("docs/api.md shows what its curl commands return today (`pnpm --filter @stowage/service docs` updates it)", async () => {
  const service = await aService({ S3_PUBLIC_BUCKET: inject("publicBucket")! });
  const { apiKey, ref } = await aProject({ defaultQuotaBytes: 50_000_000, trashDays: 7, maxVersions: 3 });
  await queryDatabase("update projects set scan = 'external' where ref = $1", [ref]);
  const variables: Record<string, string> = { STOWAGE: service.url, KEY: apiKey };
  const { S3_ENDPOINT, S3_BUCKET } = inject("servers");
  const bucketUrl = `${S3_ENDPOINT.replace(/\/$/, "")}/${S3_BUCKET}`;
  const runs: RunExample[] = [];
  for (const example of examples) {
    if (example.isOfReplacedFile) {
      const old = variables["FILE_PATH"]!;
      const newer = await aStoredFile(service.url, apiKey, {
        ...anUnsentFile,
        bytes: "hello!",
        replaces: old,
      });
      Object.assign(variables, { FILE_PATH: newer.file_path, VERSION_PATH: old });
    }
    const unsent = example.isForUnsentUpload && (await anUpload(service.url, apiKey, anUnsentFile));
    const answer = await run(example, unsent ? { ...variables, FILE_PATH: unsent.file_path } : variables);
    // The response has no members beyond those of its schema.
    const { answer: schema, isStream }: Operation = operations[example.operation];
    const values = isStream ? (answer as unknown[]) : [answer];
    expect(values.map((value) => schema.parse(value))).toEqual(values);
    if (example.isFollowedByPut) {
      const upload = answer as UploadResponse;
      variables["FILE_PATH"] = upload.file_path;
      expect(await putBytes(upload, Buffer.from("hello\n"))).toBe(200);
    }
    if (example.operation === "restoreVersion") {
      variables["FILE_PATH"] = variables["VERSION_PATH"]!;
    }
    if (example.operation === "createLink") {
      variables["LINK_ID"] = (answer as CreateLinkResponse).link_id;
    }
    if (example.operation === "moveFolder") {
      variables["JOB_ID"] = (answer as StartedJob).job_id;
    }
    if (example.operation === "openUpload") {
      variables["UPLOAD_PATH"] = (answer as OpenUploadResponse).file_path;
    }
    if (example.isFollowedByPart) {
      const [part] = (answer as SignPartsResponse).parts;
      expect(await putBytes(part!, new Uint8Array(part!.size))).toBe(200);
    }
    if (example.operation === "listPlans") {
      const body = { name: "trial", max_files: 10 };
      await call(`${service.url}/api/storage/plans/`, { method: "PUT", key: apiKey, body });
    }
    if (example.operation === "holdFile") {
      const body = { file_path: variables["FILE_PATH"], hold: false };
      await call(`${service.url}/api/storage/hold/`, { method: "POST", key: apiKey, body });
    }
    const texts = values.map((value) => redact(JSON.stringify(value, undefined, 2), bucketUrl));
    const shown = isStream
      ? texts.map((text) => JSON.stringify(JSON.parse(text))).join("\n")
      : texts.join("\n");
    runs.push({ ...example, answer: shown });
  }
  await service.close();
  const withoutExample = Object.keys(operations).filter((id) => !runs.some((run) => run.operation === id));
  expect(withoutExample).toEqual(["describe", "describe30"]);
  await expect(renderPage(runs)).toMatchFileSnapshot(PAGE);
});
