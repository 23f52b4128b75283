import { execFile } from "node:child_process";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createStowageClient } from "@stowage/server/client";
import { aProject } from "@stowage/e2e/fixtures/a-project.js";
import { sharedChromium } from "@stowage/e2e/fixtures/chromium.js";
import { aPdf } from "@stowage/service/test/fixtures/a-pdf.js";
import { afterAll, beforeAll, expect, inject, test } from "vitest";

const PDFJS = "pdfjs-dist@6.5.438";
const MB = 1e6;
const SIZE_MB = 100;

/** A page of three words, and behind it an image that no page shows. */
const aLargePdf = (): Buffer =>
  aPdf({
    content: "BT /F1 24 Tf 20 100 Td (The first page) Tj ET",
    objects: [
      Buffer.concat([
        Buffer.from(`<< /Length ${SIZE_MB * MB} >>\nstream\n`),
        Buffer.alloc(SIZE_MB * MB, 0x20),
        Buffer.from("\nendstream"),
      ]),
    ],
  });

const PAGE =
  '<!doctype html><script type="module">import * as pdfjs from "/pdf.mjs"; window.pdfjs = pdfjs;</script>';

/** What the test uses of it. */
interface PdfJs {
  GlobalWorkerOptions: { workerSrc: string };
  getDocument(options: { url: string; disableAutoFetch: boolean; disableStream: boolean }): {
    promise: Promise<{ getPage(number: number): Promise<PdfPage> }>;
  };
}
interface PdfPage {
  getTextContent(): Promise<{ items: { str: string }[] }>;
}

let folder: string;
let site: ReturnType<typeof createServer>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pdfjs-"));
  await promisify(execFile)("npm", ["install", "--no-audit", "--no-fund", "--prefix", folder, PDFJS]);
  site = createServer(({ url = "" }, response) => {
    if (!url.endsWith(".mjs")) {
      return void response.writeHead(200, { "Content-Type": "text/html" }).end(PAGE);
    }
    response.writeHead(200, { "Content-Type": "text/javascript" });
    createReadStream(join(folder, "node_modules/pdfjs-dist/build", url)).pipe(response);
  }).listen(0, "127.0.0.1");
  await once(site, "listening");
});
afterAll(async () => {
  site.closeAllConnections();
  site.close();
  await rm(folder, { recursive: true });
});

test(`PDF.js shows page 1 of a PDF of ${SIZE_MB} MB from storage by a few ranges`, async () => {
  const { apiKey } = await aProject();
  const client = createStowageClient({ apiKey, baseUrl: inject("stowage").url });
  const file = await client.upload({ tenantId: "ada", filename: "large.pdf", file: aLargePdf() });
  const { presignedUrl } = await client.downloadUrl(file.filePath, {
    tenantId: "ada",
    disposition: "inline",
  });

  const browser = await sharedChromium();
  const page = await browser.newPage();
  await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`);
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("Network.enable");
  let receivedBytes = 0;
  devTools.on("Network.dataReceived", ({ dataLength }) => void (receivedBytes += dataLength));
  await page.waitForFunction(() => "pdfjs" in window);
  const text = await page.evaluate(async (url) => {
    const { pdfjs } = window as unknown as { pdfjs: PdfJs };
    pdfjs.GlobalWorkerOptions.workerSrc = "/pdf.worker.mjs";
    const document = await pdfjs.getDocument({ url, disableAutoFetch: true, disableStream: true }).promise;
    const { items } = await (await document.getPage(1)).getTextContent();
    return items.map(({ str }) => str).join("");
  }, presignedUrl);
  expect(text).toBe("The first page");
  console.log(`${(receivedBytes / MB).toFixed(2)} MB of ${SIZE_MB} MB`);
  expect(receivedBytes).toBeLessThan(MB);
  await page.close();
});
