#!/usr/bin/env bash
# Chromium 153 and 156: the handle of a dropped folder hides files that the folder's entry lists.
#
# Behaviour: `DataTransferItem.getAsFileSystemHandle()` gives the handle of a folder. Its `values()` leaves out, without an error, files whose
#   names would be unsafe or reserved on Windows, on every system: `~notes.txt`, `who?.txt`, `10:30.txt`, `CON.txt`, a space or a dot at the
#   end, `.url`, `.lnk`, `desktop.ini`. `webkitGetAsEntry()` of the same item lists all of them, and their bytes can be read.
# Wrong guess: both ways into a dropped folder show the same files, so an upload by the newer one is complete. file-selector 4.1.0, which
#   react-dropzone uses, prefers the handle.
# Seen:
#   by the entry: 10:30.txt CON.txt a.txt who?.txt ~notes.txt
#   by the handle: a.txt
#   ~notes.txt by the entry: bytes of ~notes.txt
#
# Exit code: 0 while this holds, 1 if it changed, 2 if it could not run.
set -u
box=$(mktemp -d) || exit 2
trap 'rm -rf "$box"' EXIT
cd "$box" || exit 2
npm install --no-audit --no-fund --loglevel=error @sparticuz/chromium@153.0.0 playwright-core@1.65.1 >/dev/null || exit 2
mkdir folder
for name in a.txt '~notes.txt' 'who?.txt' 10:30.txt CON.txt; do printf 'bytes of %s' "$name" >"folder/$name"; done
cat >look.mjs <<'JS'
import { createServer } from "node:http";
import { resolve } from "node:path";
import packaged from "@sparticuz/chromium";
import { chromium } from "playwright-core";

// A handle needs a secure context, such as localhost.
const server = createServer((_request, response) => response.setHeader("Content-Type", "text/html").end("<!doctype html>"));
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const args = ["--headless=shell", "--no-sandbox", "--disable-gpu"];
const browser = await chromium.launch({ executablePath: await packaged.executablePath(), args, timeout: 60_000 });
try {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.evaluate(() => {
    document.documentElement.style.height = "100%";
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", async (event) => {
      event.preventDefault();
      const [item] = event.dataTransfer.items;
      const entry = item.webkitGetAsEntry();
      const handle = await item.getAsFileSystemHandle();
      const entries = await new Promise((done, fail) => entry.createReader().readEntries(done, fail));
      const byHandle = [];
      for await (const { name } of handle.values()) byHandle.push(name);
      const notes = entries.find(({ name }) => name === "~notes.txt");
      const file = await new Promise((done, fail) => notes.file(done, fail));
      window.seen = { byEntry: entries.map(({ name }) => name), byHandle, text: await file.text() };
    });
  });
  const devTools = await page.context().newCDPSession(page);
  const data = { items: [], files: [resolve("folder")], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"]) {
    await devTools.send("Input.dispatchDragEvent", { type, x: 50, y: 50, data });
  }
  await page.waitForFunction(() => window.seen);
  const { byEntry, byHandle, text } = await page.evaluate(() => window.seen);
  console.log(`by the entry: ${byEntry.sort().join(" ")}`);
  console.log(`by the handle: ${byHandle.sort().join(" ")}`);
  console.log(`~notes.txt by the entry: ${text}`);
} finally {
  await browser.close();
  server.closeAllConnections();
  server.close();
}
JS
expected="by the entry: 10:30.txt CON.txt a.txt who?.txt ~notes.txt
by the handle: a.txt
~notes.txt by the entry: bytes of ~notes.txt"
seen=$(timeout 120 node look.mjs) || exit 2
echo "$seen"
[ "$seen" = "$expected" ]
