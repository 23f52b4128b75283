import { expect, inject, test } from "vitest";
import { aReader } from "@stowage/e2e/docs/fixtures/a-reader.js";

const TIME_LIMIT_MS = 900_000;

test(
  "a browser that follows every link of the documentation finds no dead one, and no page logs an error",
  { timeout: TIME_LIMIT_MS },
  async () => {
    const { url } = inject("stowage");
    const root = `${url}/docs/`;
    await using reader = await aReader();
    const waiting = [root];
    const seen = new Set(waiting);
    const dead: string[] = [];
    const failing: string[] = [];
    let pages = 0;
    for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
      // Text and pictures have no links.
      if (!address.endsWith("/")) {
        const { ok, status } = await fetch(address);
        if (!ok) dead.push(`${address}: ${status}`);
        continue;
      }
      const answer = await reader.page.goto(address, { waitUntil: "load" });
      if (answer?.status() !== 200) dead.push(`${address}: ${answer?.status()}`);
      pages++;
      failing.push(...reader.errors.splice(0).map((error) => `${address}: ${error}`));
      const links = await reader.page.evaluate(() => {
        const elements = [...document.querySelectorAll<HTMLElement>("a[href], img[src], link[href]")];
        return elements.map((element) =>
          String(Reflect.get(element, element.tagName === "IMG" ? "src" : "href")),
        );
      });
      for (const link of links.map((each) => each.split("#", 1)[0] ?? "")) {
        if (!link.startsWith(root) || seen.has(link)) continue;
        seen.add(link);
        waiting.push(link);
      }
    }
    console.log(`${pages} pages and ${seen.size - pages} files`);
    expect(pages).toBeGreaterThan(150);
    expect(dead).toEqual([]);
    expect(failing).toEqual([]);
  },
);
