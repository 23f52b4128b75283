/**
 * Makes a response the same in every run: replaces random names, times, signatures and the hosts of the test with fixed values of the
 * same shape.
 */
export function redact(text: string, bucketUrl: string): string {
  const seen: string[] = [];
  const refs = [
    "4hFz9QmXc2Lr7VtKp0WsYe",
    "b81NqTgUo5RdJw3CxHvA6i",
    "Zk2Ly7DnSf9Pe4MjGaQt1B",
    "Hq4Wd9RzTm6Xb2NcVk8JsF",
  ];
  return text
    .replaceAll(`${bucketUrl}-public`, "https://files.example.com")
    .replaceAll(bucketUrl, "https://storage.example.com/stowage")
    .replace(/(?<="presigned_url": "[^"?]*\?)[^"]*/g, "X-Amz-Algorithm=AWS4-HMAC-SHA256&…")
    .replace(/(?<=projects\/|tenants\/|\/)[0-9A-Za-z]{22}(?=[/_])/g, (ref) => {
      if (!seen.includes(ref)) seen.push(ref);
      return refs[seen.indexOf(ref)] ?? ref;
    })
    .replace(/(?<="link_id": ")[^"]+/g, "Qm3Xs8VbRk2TzYp6LwNc4D")
    .replace(/(?<="job_id": ")[^"]+/g, "Vn5Yc1RfLq8GtXw3KzBe6J")
    .replace(/(?<="url": ")[^"]+(?=\/s\/)/g, "https://stowage.example.com")
    .replace(/(?<=\/s\/)[0-9A-Za-z]{44}/g, "4hFz9QmXc2Lr7VtKp0WsYe7GdEoJa5NuHi1BxZqMf3SvCy")
    .replace(/("(?:expires_at|url_expires_at)": ")[^"]+/g, "$12026-01-31T13:00:00.000Z")
    .replace(/("purge_at": ")[^"]+/g, "$12026-02-07T12:00:00.000Z")
    .replace(/("cursor": ")[^"]+/g, "$1WyJleHBvcnQi…")
    .replace(/("next_cursor": "WyJldmVudHMg)[^"]+/g, "$1…")
    .replace(/("(?:created_at|stored_at|ended_at)": ")[^"]+/g, "$12026-01-31T12:00:00.000Z");
}
