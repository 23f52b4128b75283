/** What the service's own API says to a key that asks for an upload: 200, or 401. */
export async function tryKey(url: string, apiKey: string): Promise<number> {
  const answer = await fetch(`${url}/api/storage/upload/`, {
    method: "POST",
    headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "application/json" },
    body: JSON.stringify({ tenant_id: "acme", filename: "a.txt" }),
    signal: AbortSignal.timeout(10_000),
  });
  await answer.arrayBuffer();
  return answer.status;
}
