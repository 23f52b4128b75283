import type { CorsRule, ObjectStore } from "#object-store/object-store.js";

/** Our rule's name among the bucket's: applying again replaces it and leaves the others. */
const RULE_ID = "stowage";

/**
 * Lets pages of these origins upload to the bucket and download from it. Rules of others stay as they are.
 *
 * @returns all rules that are there now, as storage tells them
 * @throws {StowageError} `unavailable`
 */
export async function applyCors(
  { store }: { store: Pick<ObjectStore, "readCors" | "writeCors"> },
  origins: string[],
): Promise<CorsRule[]> {
  const others = (await store.readCors()).filter((rule) => rule.id !== RULE_ID);
  await store.writeCors([
    ...others,
    {
      id: RULE_ID,
      origins: [...new Set(origins)],
      methods: ["PUT", "GET", "HEAD"],
      headers: ["*"],
      exposedHeaders: ["ETag"],
      maxAgeSeconds: 600,
    },
  ]);
  return store.readCors();
}
