import { expect, test } from "vitest";
import { aProject } from "../fixtures/a-project.js";
import { axeViolations } from "../fixtures/axe.js";
import { aReader, type Reader } from "./fixtures/a-reader.js";

/** Opens the form of a call, sends it and returns the answer that the page shows. */
async function send({ page }: Reader, call: string): Promise<string> {
  const form = page.getByRole("form", { name: call, exact: true });
  if (!(await form.isVisible())) await page.getByText(`Try it: ${call}`, { exact: true }).click();
  await form.getByRole("button", { name: "Send" }).click();
  const answer = form.getByRole("status");
  await expect.poll(() => answer.textContent()).toMatch(/^(\d{3}|No answer)/);
  return (await answer.textContent()) ?? "";
}

test("the API page sends its requests with the reader's key, which stays in the page", async () => {
  const { apiKey } = await aProject();
  await using reader = await aReader();
  const { page } = reader;
  await reader.open("api/");
  expect(await send(reader, "GET /api/storage/usage/")).toMatch(/^401 unauthorized\n/);
  // Chromium writes a refused request to the console.
  expect(reader.errors.splice(0)).toEqual([expect.stringContaining("401")]);

  await page.getByLabel("API key").fill(apiKey);
  expect(await send(reader, "POST /api/storage/upload/")).toMatch(/^200\n[\s\S]*"presigned_url": "http/);
  const path = await page.getByLabel("FILE_PATH").inputValue();
  expect(path).toMatch(/^projects\//);
  expect(await send(reader, "GET /api/storage/file/")).toContain(`"file_path": "${path}"`);
  expect(await send(reader, "PUT /api/storage/quota/")).toContain('"quota_bytes": 1000000000');

  expect(await axeViolations(page)).toEqual([]);
  const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie]));
  expect(stored).not.toContain(apiKey);
  expect(page.url()).not.toContain(apiKey);
  await page.reload();
  expect(await page.getByLabel("API key").inputValue()).toBe("");
  expect(reader.errors).toEqual([]);
});
