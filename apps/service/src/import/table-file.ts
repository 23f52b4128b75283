import { type FileHandle, open } from "node:fs/promises";
import { StowageError } from "@stowage/schemas";
import * as z from "zod";

/** A line of a table, in snake_case. */
export type TableLine = { type: string } & Record<string, unknown>;

/**
 * A file of NDJSON that says what an import or an export has done. It is written to the disk before its next line, and a run that is repeated
 * reads it.
 */
export interface TableFile {
  /** The ETags of the objects that are done, by their keys. */
  done: ReadonlyMap<string, string>;
  /** Whether the last run reached its end. True for a new file. */
  isEnded: boolean;
  /** The first member of the last run. Null for a new file. */
  lastRun: TableLine | null;
  append(lines: TableLine[]): Promise<void>;
  close(): Promise<void>;
}

const line = z.looseObject({ type: z.string() });
const fileLine = z.object({ key: z.string(), source_etag: z.string() });

/** A line has at most a key, a path, a name and an ID of a tenant, which JSON may escape. */
const MAX_LINE_BYTES = 256 * 1024;
const CHUNK_BYTES = 64 * 1024;

/**
 * Opens a table, or creates it. Only its owner can read it. A line that a killed run did not finish is removed.
 *
 * @param runType the type of the line that begins a run
 * @param isWritten whether the file may be created and changed. @default true
 * @throws {StowageError} `invalid_request` if the file cannot be opened, or is no table; from `append`, if it cannot be written
 */
export async function openTable(path: string, runType: string, isWritten = true): Promise<TableFile> {
  const file = await open(path, isWritten ? "a+" : "r", 0o600).catch((error: NodeJS.ErrnoException) => {
    if (!isWritten && error.code === "ENOENT") return null;
    throw refuse(`The table cannot be opened (${error.code})`);
  });
  const done = new Map<string, string>();
  const table = { isEnded: true, lastRun: null as TableLine | null };
  try {
    if (file && !(await file.stat()).isFile()) throw refuse("The table must be a file");
    for await (const text of file ? readLines(file, { runType, isWritten }) : []) {
      const one = parseLine(text);
      if (one.type === runType) Object.assign(table, { isEnded: false, lastRun: one });
      else if (one.type === "end") table.isEnded = true;
      else if (one.type === "file") {
        const { key, source_etag } = parseAs(fileLine, one);
        done.set(key, source_etag);
      } else throw refuse(NO_TABLE);
    }
  } catch (error) {
    await file?.close();
    throw error;
  }
  return {
    done,
    ...table,
    async append(lines) {
      if (lines.length === 0 || !file) return;
      try {
        await file.appendFile(lines.map((one) => `${JSON.stringify(one)}\n`).join(""));
        await file.datasync();
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        throw refuse(`The table cannot be written (${code}). Run the command again, and it goes on`);
      }
      for (const one of lines)
        if (one.type === "file") done.set(String(one["key"]), String(one["source_etag"]));
    },
    close: async () => file?.close(),
  };
}

/** Yields the whole lines, and removes what follows the last one: but not from a file that is no table. */
async function* readLines(
  file: FileHandle,
  { runType, isWritten }: { runType: string; isWritten: boolean },
): AsyncGenerator<string> {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let rest = Buffer.alloc(0);
  let at = 0;
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, at);
    if (bytesRead === 0) break;
    at += bytesRead;
    const bytes = Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
    const end = bytes.lastIndexOf("\n");
    rest = Buffer.from(bytes.subarray(end + 1));
    if (rest.length > MAX_LINE_BYTES) throw refuse(NO_TABLE);
    if (end >= 0) yield* bytes.toString("utf8", 0, end).split("\n");
  }
  if (rest.length === 0) return;
  const begin = JSON.stringify({ type: runType }).slice(0, -1);
  const length = Math.min(begin.length, rest.length);
  if (rest.length === at && rest.toString("utf8", 0, length) !== begin.slice(0, length))
    throw refuse(NO_TABLE);
  if (isWritten) await file.truncate(at - rest.length);
}

function parseLine(text: string): TableLine {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw refuse(NO_TABLE);
  }
  return parseAs(line, json);
}

function parseAs<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw refuse(NO_TABLE);
}

const NO_TABLE = "The table has a line that no run writes";
const refuse = (detail: string) => new StowageError("invalid_request", { detail });
