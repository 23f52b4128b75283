import { expect, test } from "vitest";
import { createSecrets } from "./secrets.js";

const KEY = "stow_live_0123456789abcdefghijklmnopqrstuvwxyz";
const SIGNED =
  "https://s3.example.com/b/a.txt?X-Amz-Credential=AK%2F1&X-Amz-Signature=0123456789abcdef&x-id=GetObject";

test("a text loses the key, also one that the run does not use", () => {
  const { redact } = createSecrets(KEY);
  expect(redact(`{"key":"${KEY}"} and stow_live_other1`)).toBe('{"key":"‹API key›"} and ‹API key›');
  expect(createSecrets("a key of another form").redact("a key of another form!")).toBe("‹API key›!");
});

test("a text loses presigned URLs, whole and in part", () => {
  const { add, redact } = createSecrets(KEY);
  expect(redact(`PUT ${SIGNED} failed`)).toBe("PUT https://s3.example.com/b/a.txt?‹signature› failed");
  add("https://cdn.example.com/a.txt?hash=0123456789&token=9876543210");
  expect(redact("GET https://cdn.example.com/a.txt?hash=0123456789&token=9876543210")).toBe(
    "GET ‹presigned URL›",
  );
  add(SIGNED);
  expect(redact("<Signature>0123456789abcdef</Signature>")).toBe("<Signature>‹signature›</Signature>");
});

test("other texts stay as they are", () => {
  const text = "GET /api/storage/files/?tenant_id=stowage-verify-1 at https://files.example.com/a.txt?x=1";
  expect(createSecrets(KEY).redact(text)).toBe(text);
});
