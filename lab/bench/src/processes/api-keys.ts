import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { connect } from "./connect.js";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const MAX_FILE_BYTES = 5 * 1024 ** 3;

/** Makes well-formed API keys that no project has (`apps/service/src/projects/api-key.ts`). */
export function unknownKeys(count: number): string[] {
  return Array.from({ length: count }, () => {
    const unchecked = `stow_live_${base62(BigInt(`0x${randomBytes(32).toString("hex")}`), 43)}`;
    return unchecked + base62(BigInt(crc32(unchecked)), 6);
  });
}

/** Creates projects without a quota directly in the database, because a command per project takes too long. @returns their keys */
export async function createProjects(databaseUrl: string, count: number): Promise<string[]> {
  const keys = unknownKeys(count);
  const sql = connect(databaseUrl);
  try {
    for (const key of keys) {
      await sql`
        insert into projects (ref, name, api_key_hash, api_key_start, api_key_last4, max_file_bytes, created_at, key_created_at)
        values (${randomBytes(8).toString("hex")}, 'Bench', ${createHash("sha256").update(key).digest("hex")}, '', '',
                ${MAX_FILE_BYTES}, now(), now())`;
    }
    return keys;
  } finally {
    await sql.end();
  }
}

function base62(number: bigint, length: number): string {
  let digits = "";
  for (let rest = number; digits.length < length; rest /= 62n) digits = DIGITS[Number(rest % 62n)] + digits;
  return digits;
}
