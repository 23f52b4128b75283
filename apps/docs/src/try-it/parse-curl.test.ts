import { expect, test } from "vitest";
import { readText } from "../content/repository.js";
import { parseCurl } from "./parse-curl.js";

test("reads method, path, body and query of a command", () => {
  expect(
    parseCurl(
      `curl -s "$STOWAGE/api/storage/complete/" \\\n  -H "Authorization: Bearer $KEY" \\\n  -H 'Content-Type: application/json' \\\n  -d "{\\"file_path\\":\\"$FILE_PATH\\"}"`,
    ),
  ).toEqual({
    method: "POST",
    path: "/api/storage/complete/",
    body: '{"file_path":"$FILE_PATH"}',
    needsKey: true,
  });
  expect(
    parseCurl(
      `curl -s -G "$STOWAGE/api/storage/files/" \\\n  -H "Authorization: Bearer $KEY" \\\n  --data-urlencode "limit=10"`,
    ),
  ).toEqual({ method: "GET", path: "/api/storage/files/", query: '{"limit":"10"}', needsKey: true });
  expect(parseCurl(`curl -s -X PUT "$PRESIGNED_URL" --data-binary @-`)).toBeUndefined();
});

test("the API page has a command that can be tried for each of its calls, with a JSON body", () => {
  const page = readText("docs/api.md");
  const calls = [...page.matchAll(/^## .*\n\n`(GET|POST|PUT) (\/[^`]*)`$/gm)].map(
    ([, method, path]) => `${method} ${path}`,
  );
  const commands = [...page.matchAll(/^```sh\n(curl [\s\S]*?)\n```$/gm)].flatMap(
    ([, text = ""]) => parseCurl(text) ?? [],
  );
  expect(calls.length).toBeGreaterThan(20);
  expect(commands.map(({ method, path }) => `${method} ${path}`)).toEqual(calls);
  for (const { body, query } of commands) {
    expect(() => JSON.parse(body ?? "{}") as unknown).not.toThrow();
    expect(() => JSON.parse(query ?? "{}") as unknown).not.toThrow();
  }
});
