import { randomUUID } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Renames a file and syncs the target folder, because a rename survives a crash only after that. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncDir(dirname(to));
}

/** Replaces a small file atomically: a reader, or a start after a crash, sees the old text or the new text. */
export async function writeFileDurably(incomingDir: string, path: string, text: string): Promise<void> {
  const temporary = join(incomingDir, randomUUID());
  try {
    const file = await open(temporary, "wx");
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await renameDurably(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

export async function syncDir(path: string): Promise<void> {
  if (process.platform === "win32") return; // Windows cannot sync a folder
  const dir = await open(path, "r");
  try {
    await dir.sync();
  } finally {
    await dir.close();
  }
}
