import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ListFilesResponse } from "@stowage/schemas";
import { expect } from "vitest";
import type { RunningService } from "../fixtures/a-service.js";
import { aProject } from "../fixtures/a-project.js";
import { call } from "../fixtures/call.js";

const TIMEOUT_MS = 120_000;

/** A program of docs/clients.md that uploads a file, completes the upload, downloads the file to `FILE.copy` and deletes it. */
export interface Client {
  command: string;
  args: string[];
  /** Where the program runs and the file is. */
  folder: string;
  service: RunningService;
  env?: Record<string, string>;
}

export async function expectWholeLifeOfAFile(client: Client): Promise<string> {
  const { apiKey } = await aProject();
  const bytes = Buffer.from(`one of ${Math.random()} contracts\n`.repeat(1_000));
  await writeFile(join(client.folder, "contract.txt"), bytes);
  const { status, output, errors } = await runClient(client, "contract.txt", apiKey);
  expect(errors).toBe("");
  expect(status).toBe(0);
  expect(await readFile(join(client.folder, "contract.txt.copy"))).toEqual(bytes);
  const files = await call<ListFilesResponse>(`${client.service.url}/api/storage/files/?tenant_id=user_42`, {
    key: apiKey,
  });
  expect(files.body.files).toEqual([]);
  expect(client.service.log()).not.toContain(apiKey);
  return output;
}

export async function expectTheCodeOfAnError(client: Client): Promise<void> {
  const { apiKey } = await aProject({ maxFileBytes: 3 });
  await writeFile(join(client.folder, "large.txt"), "1234");
  const { status, output, errors } = await runClient(client, "large.txt", apiKey);
  expect(errors).toContain("file_too_large: ");
  expect(errors).toContain("size must be at most 3 bytes");
  expect(errors).not.toContain(apiKey);
  expect(output).toBe("");
  expect(status).toBe(1);
}

async function runClient({ command, args, folder, service, env }: Client, file: string, apiKey: string) {
  const child = spawn(command, [...args, file, "user_42"], {
    cwd: folder,
    env: { PATH: process.env["PATH"], STOWAGE_URL: service.url, STOWAGE_API_KEY: apiKey, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: TIMEOUT_MS,
  });
  const [output, errors, [status]] = await Promise.all([
    read(child.stdout),
    read(child.stderr),
    once(child, "exit"),
  ]);
  return { output, errors, status: status as number | null };
}

/** Reads a stream of a child process to its end. */
export async function read(stream: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += String(chunk);
  return text;
}
