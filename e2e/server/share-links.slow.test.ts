import { createStowageClient, type StowageClient } from "@stowage/server/client";
import type { BrowserContextOptions } from "playwright-core";
import { beforeAll, expect, inject, onTestFinished, test } from "vitest";
import { aHeaderProxy } from "../fixtures/a-header-proxy.js";
import { aProject } from "../fixtures/a-project.js";
import { axeViolations } from "../fixtures/axe.js";
import { sharedChromium } from "../fixtures/chromium.js";

/*
 * Share links in Chromium: the page that asks for a password, and the redirect of its form to storage.
 */
let client: StowageClient;
beforeAll(async () => {
  const { apiKey } = await aProject();
  client = createStowageClient({ apiKey, baseUrl: inject("stowage").url });
});

const PASSWORD = "correct horse";

async function aLink(password?: string) {
  const file = { tenantId: "t", file: Buffer.from("shared bytes"), filename: "shared.txt" };
  const { filePath } = await client.upload(file);
  return client.createLink(filePath, { password, disposition: "inline" });
}

/** @returns a page, and the referrers and the violations of the policy that it caused */
async function aVisitor(options: BrowserContextOptions = {}) {
  const context = await (await sharedChromium()).newContext(options);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const refused: string[] = [];
  const referrers: (string | undefined)[] = [];
  page.on("console", (message) => void refused.push(message.text()));
  context.on("request", (request) => void referrers.push(request.headers()["referer"]));
  return { page, refused: () => refused.filter((text) => /Content Security/i.test(text)), referrers };
}

test.each([
  ["without scripts", false],
  ["with scripts", true],
])(
  "a visitor %s gets the file with the right password, and is told of a wrong one",
  async (_, javaScriptEnabled) => {
    const { url } = await aLink(PASSWORD);
    const { page, refused, referrers } = await aVisitor({ javaScriptEnabled });
    await page.goto(url);
    const password = page.getByLabel("Password");
    await password.fill("wrong password");
    await page.getByRole("button", { name: "Download" }).click();
    await page.getByRole("alert").getByText("This password is wrong").waitFor();
    await password.fill(PASSWORD);
    await password.press("Enter");
    await page.getByText("shared bytes").waitFor();
    expect(new URL(page.url()).origin).not.toBe(new URL(url).origin);
    expect(refused()).toEqual([]);
    expect(new Set(referrers)).toEqual(new Set([undefined]));
  },
);

test("the form leads to storage also where the page is below a path that its proxy removes", async () => {
  const { url } = await aLink(PASSWORD);
  const { origin, pathname } = new URL(url);
  await using proxy = await aHeaderProxy(origin, {}, "/tools/stowage");
  const { page, refused } = await aVisitor({ javaScriptEnabled: false });
  await page.goto(`${proxy.url}/tools/stowage${pathname}`);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Download" }).click();
  await page.getByText("shared bytes").waitFor();
  expect(refused()).toEqual([]);
});

test("no page of a link breaks a rule of axe, in light and dark, and on a phone", async () => {
  const { url } = await aLink(PASSWORD);
  const unknown = url.slice(0, -1) + (url.endsWith("a") ? "b" : "a");
  for (const colorScheme of ["light", "dark"] as const) {
    const { page, refused } = await aVisitor({ colorScheme, viewport: { width: 320, height: 568 } });
    await page.goto(url);
    expect(await axeViolations(page)).toEqual([]);
    await page.getByLabel("Password").fill("wrong password");
    await page.getByRole("button", { name: "Download" }).click();
    await page.getByRole("alert").waitFor();
    expect(await axeViolations(page)).toEqual([]);
    const answer = await page.goto(unknown);
    expect(answer?.status()).toBe(404);
    await page.getByRole("heading", { name: "This link does not work" }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(refused()).toEqual([]);
  }
});

test("a link without a password opens the file at once", async () => {
  const { url } = await aLink();
  const { page } = await aVisitor();
  await page.goto(url);
  expect(await page.locator("body").innerText()).toBe("shared bytes");
});
