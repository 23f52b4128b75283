import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const LAB = join(ROOT, "lab/clients");

interface Client {
  program: string;
  name: string;
  language: string;
}

interface Result {
  passed: number;
  failed: number;
}

test("docs/put.md shows or links the programs that `pnpm lab clients` runs, and each has passed there", async () => {
  const page = await readFile(join(ROOT, "docs/put.md"), "utf8");
  const { clients } = (await import(join(LAB, "clients.mjs"))) as { clients: Client[] };
  const { isShown } = (await import(join(LAB, "page.mjs"))) as { isShown(client: Client): boolean };
  const results = JSON.parse(await readFile(join(LAB, "results.json"), "utf8")) as Record<string, Result>;
  expect(clients.length).toBeGreaterThan(20);
  for (const client of clients) {
    const { program, name, language } = client;
    if (isShown(client)) {
      const source = await readFile(join(LAB, program), "utf8");
      expect(page).toContain(
        `### ${name}\n\n<!-- ${program} -->\n\n\`\`\`${language}\n${source.trimEnd()}\n\`\`\`\n`,
      );
      expect(page).toContain(`[${name}](#`);
    } else {
      expect(page).toContain(`[${name}](../lab/clients/${program})`);
    }
    expect(results[program], program).toMatchObject({ passed: 8, failed: 0 });
  }
});
