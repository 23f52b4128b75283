import { listFilesResponse, type File } from "@stowage/schemas";

const TIMEOUT_MS = 10_000;

/** The newest files of one user, asked of the service with the key that only this backend has. */
export async function storedFiles(
  service: { stowageUrl: string; apiKey: string },
  userId: string,
): Promise<File[]> {
  const query = new URLSearchParams({ tenant_id: userId, status: "stored", limit: "100" });
  const answer = await fetch(`${service.stowageUrl}/api/storage/files/?${query}`, {
    headers: { Authorization: `Bearer ${service.apiKey}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!answer.ok) throw new Error(`the service answered ${answer.status}`);
  return listFilesResponse.parse(await answer.json()).files;
}
