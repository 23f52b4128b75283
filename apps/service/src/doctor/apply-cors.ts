import type { CorsRule, ObjectStore } from "#object-store/object-store.js";

/** The name of Stowage's rule in the bucket. Applying again replaces this rule and keeps the others. */
const RULE_ID = "stowage";

/**
 * Allows pages of these origins to upload to the bucket and to download from it. The bucket's other rules do not change.
 *
 * @returns all rules that the bucket has now, as storage reports them
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
