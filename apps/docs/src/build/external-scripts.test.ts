import { expect, test } from "vitest";
import { moveScripts } from "./external-scripts.js";

test("moves scripts into files that are named by their content", () => {
  const page = '<script>a()</script><p></p><script type="module">b()</script><script>a()</script>';
  const { html, scripts } = moveScripts(page);
  expect(html).toMatch(
    /^<script src="\/docs\/_astro\/inline\.[\da-f]{12}\.js"><\/script><p><\/p><script type="module" src="[^"]+"><\/script><script src="[^"]+"><\/script>$/,
  );
  expect(scripts.map(({ code }) => code)).toEqual(["a()", "b()", "a()"]);
  expect(scripts[0]!.name).toBe(scripts[2]!.name);
});

test("leaves scripts with an address, and data, as they are", () => {
  const page = '<script type="module" src="/a.js"></script><script type="application/json">{}</script>';
  expect(moveScripts(page).html).toBe(page);
});
