import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { OpenUploadResponse, SignPartsResponse, UploadResponse } from "@stowage/schemas";
import type { Answer, ApiCall } from "./client.js";
import { aContent, bytesOf, type Content } from "./contents.js";
import { FOLDERS } from "./folder-operations.js";
import type { Result, SoakFile } from "./ledger.js";
import { type LoadState, note, type SoakProject, tenantKey } from "./load-state.js";

const TENANTS = 8;
const MAX_SINGLE_BYTES = 20_000;
const PART_BYTES = 5 * 1024 ** 2;
const TRIES = 4;
const PAUSE_MS = 500;
const EXPIRING_SHARE = 0.06;
const COMPLETED_SHARE = 0.7;
const NEVER_SENT_SHARE = 0.1;
/** How late the job that ends files may be, during faults too. */
const END_GRACE_MS = 60_000;

export async function uploadSingle(state: LoadState): Promise<boolean> {
  const { random, client } = state;
  const project = random.pick(state.projects);
  const opened = await open<UploadResponse>(state, "upload", { project, ...aContent(random, project) }, {});
  if (!opened) return true;
  const { file, answer } = opened;
  if (random.next() >= NEVER_SENT_SHARE) {
    await sendBytes(state, file, () => client.put(answer, bytesOf(file)));
    if (random.next() < COMPLETED_SHARE) await complete(state, project, file);
  }
  file.isBusy = false;
  return true;
}

/** One part, or sometimes two: the first then has the smallest size that storage accepts. */
export async function uploadByParts(state: LoadState): Promise<boolean> {
  const { random, client } = state;
  const sizeBytes =
    random.next() < 0.2 ? PART_BYTES + 1 + random.below(1000) : 1 + random.below(MAX_SINGLE_BYTES);
  const project = random.pick(state.projects);
  const wanted = { project, kind: "fill" as const, fill: random.below(256), sizeBytes };
  const opened = await open<OpenUploadResponse>(state, "uploads", wanted, { part_size: PART_BYTES });
  if (!opened) return true;
  const { file, answer } = opened;
  const parts = Array.from({ length: answer.part_count }, (_, i) => ({ number: i + 1 }));
  await sendBytes(state, file, async () => {
    const call = {
      name: "sign parts",
      path: "uploads/parts/",
      key: project.apiKey,
      body: { file_path: file.path, parts },
    };
    const signed = await client.call<SignPartsResponse>(call);
    if (signed?.status !== 200) return signed === null ? "unknown" : "refused";
    const results = await Promise.all(
      signed.body.parts.map((part) => client.put(part, new Uint8Array(part.size).fill(file.fill))),
    );
    return results.find((result) => result !== "done") ?? "done";
  });
  await complete(state, project, file);
  file.isBusy = false;
  return true;
}

/** Asks for an upload. It repeats the request with the same Idempotency-Key until an answer arrives, as a good client does. */
export async function open<Body extends { file_path: string }>(
  state: LoadState,
  path: "upload" | "uploads",
  { project, ...content }: Content & { project: SoakProject },
  more: object,
  replaced?: SoakFile,
): Promise<{ file: SoakFile; answer: Body } | null> {
  const { random } = state;
  const tenant = replaced?.tenant ?? `t${random.below(TENANTS)}`;
  const key = tenantKey({ project: project.index, tenant });
  const folder = state.withFolderJob.has(key) ? "" : random.pick(FOLDERS);
  const note = String(random.below(1000));
  // The end must be in the future by the clock of every replica.
  const endsAfterMs =
    !replaced && random.next() < EXPIRING_SHARE
      ? 2 * state.clockSpreadMs + 60_000 + random.below(60_000)
      : null;
  const body = {
    tenant_id: tenant,
    filename: content.kind === "picture" ? "a.png" : "a.txt",
    size: content.sizeBytes,
    folder,
    metadata: { note },
    ...more,
    ...(replaced && { replaces: replaced.path }),
    ...(endsAfterMs && { expires_after: Math.ceil(endsAfterMs / 1000) }),
  };
  const askedAt = state.now();
  const call: ApiCall = {
    name: replaced ? "replace" : path,
    path: `${path}/`,
    key: project.apiKey,
    body,
    headers: { "Idempotency-Key": randomUUID() },
  };
  state.opening.set(key, (state.opening.get(key) ?? 0) + 1);
  const answer = await repeat<Body>(state, call);
  state.opening.set(key, state.opening.get(key)! - 1);
  if (!answer) {
    state.unknownUploads++;
    if (replaced) replaced.mayBeClaimed = true;
    return null;
  }
  if (answer.status !== 200) {
    const isClaimed = answer.code === "file_being_replaced" && replaced?.mayBeClaimed;
    if (answer.code !== "quota_exceeded" && !isClaimed)
      state.onWrong(`${path}: ${answer.status} ${answer.code}`);
    return null;
  }
  const file: SoakFile = {
    path: answer.body.file_path,
    project: project.index,
    tenant,
    ...content,
    states: new Set(["open"]),
    ends:
      endsAfterMs === null
        ? null
        : {
            from: askedAt + endsAfterMs - 2 * state.clockSpreadMs,
            to: state.now() + endsAfterMs + 2 * state.clockSpreadMs + END_GRACE_MS,
          },
    unsureUntil: 0,
    isByParts: path === "uploads",
    isRecorded: false,
    isExpired: false,
    isBusy: true,
    folders: new Set([folder]),
    notes: new Set([note]),
    chain: null,
    mayBeReplaced: false,
    mayBeClaimed: false,
    tried: {},
    done: {},
  };
  if (state.files.has(file.path)) state.onWrong(`two uploads have one path: ${file.path}`);
  state.files.set(file.path, file);
  state.live.push(file);
  return { file, answer: answer.body };
}

async function repeat<Body>(state: LoadState, call: ApiCall): Promise<Answer<Body> | null> {
  for (let tries = 1; ; tries++) {
    state.uploadRequests++;
    const answer = await state.client.call<Body>(call);
    if (answer || tries === TRIES) return answer;
    await sleep(PAUSE_MS * tries);
  }
}

export async function sendBytes(
  state: LoadState,
  file: SoakFile,
  send: () => Promise<"done" | "refused" | "unknown">,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    const result = await send();
    // Parts of an earlier try may have arrived without an answer, and the sweeper has joined them.
    const mayBeJoined = file.isByParts && tries > 1;
    if (result === "refused" && !mayBeJoined) state.onWrong(`storage refused the bytes of ${file.path}`);
    note(state, file, "send", result === "refused" ? "unknown" : result);
    if (result !== "unknown" || tries === TRIES) return;
    await sleep(PAUSE_MS * tries);
  }
}

export async function complete(state: LoadState, project: SoakProject, file: SoakFile): Promise<Result> {
  const { path: file_path } = file;
  const call = { name: "complete", path: "complete/", key: project.apiKey, body: { file_path } };
  const answer = await state.client.call<{ size: number }>(call);
  const result = answer === null ? "unknown" : answer.status === 200 ? "done" : "refused";
  note(state, file, "complete", result);
  if (answer?.status === 200 && answer.body.size !== file.sizeBytes)
    state.onWrong(`completed with ${answer.body.size} instead of ${file.sizeBytes} bytes: ${file.path}`);
  return result;
}
