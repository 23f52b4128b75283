import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { aProject } from "@stowage/e2e/fixtures/a-project.js";
import { sharedChromium } from "@stowage/e2e/fixtures/chromium.js";
import { createStowage } from "@stowage/server";
import { createStowageClient } from "@stowage/server/client";
import { toNodeHandler } from "@stowage/server/node";
import sharp from "sharp";
import { afterAll, beforeAll, expect, inject, test } from "vitest";

const ISOLATED = { "Content-Type": "text/html", "Cross-Origin-Embedder-Policy": "require-corp" };

let app: Server;
let origin: string;
let client: ReturnType<typeof createStowageClient>;
let path: string;
beforeAll(async () => {
  const { apiKey } = await aProject();
  const settings = { apiKey, baseUrl: inject("stowage").url };
  client = createStowageClient(settings);
  const helper = toNodeHandler(createStowage({ ...settings, tenant: () => "ada", allowDownload: true }));
  app = createServer((request, response) => {
    if (request.url?.startsWith("/api/stowage/")) return void helper(request, response);
    response.writeHead(200, ISOLATED).end("<!doctype html>");
  }).listen(0, "127.0.0.1");
  await once(app, "listening");
  origin = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
  const picture = sharp({ create: { width: 40, height: 30, channels: 3, background: "teal" } });
  const file = await client.upload({
    tenantId: "ada",
    filename: "a.png",
    file: await picture.png().toBuffer(),
  });
  path = file.filePath;
});
afterAll(() => {
  app.closeAllConnections();
  app.close();
});

test("an isolated page shows a stored picture with crossorigin, and not without", async () => {
  const { presignedUrl } = await client.downloadUrl(path, { tenantId: "ada", disposition: "inline" });
  const page = await (await sharedChromium()).newPage();
  await page.goto(origin);
  const widthOf = (crossOrigin: string | null) =>
    page.evaluate(
      async ([src, cross]) => {
        const image = new Image();
        image.crossOrigin = cross!;
        image.src = src!;
        await image.decode().catch(() => {});
        return image.naturalWidth;
      },
      [presignedUrl, crossOrigin] as const,
    );
  expect([await widthOf(null), await widthOf("anonymous")]).toEqual([0, 40]);
  await page.close();
});

test("HEAD of the helper's link answers as GET, and HEAD of the storage URL, which is signed for GET, is refused", async () => {
  const link = `${origin}/api/stowage/download?file_path=${encodeURIComponent(path)}`;
  const [get, head] = await Promise.all(
    ["GET", "HEAD"].map((method) => fetch(link, { method, redirect: "manual" })),
  );
  expect([get!.status, head!.status]).toEqual([302, 302]);
  const location = head!.headers.get("Location")!;
  expect((await fetch(location)).status).toBe(200);
  expect((await fetch(location, { method: "HEAD" })).status).toBe(403);
});
