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

test("docs/put.md shows the programs that `pnpm lab clients` runs, and each has passed there", async () => {
  const page = await readFile(join(ROOT, "docs/put.md"), "utf8");
  const { clients } = (await import(join(LAB, "clients.mjs"))) as { clients: Client[] };
  const results = JSON.parse(await readFile(join(LAB, "results.json"), "utf8")) as Record<string, Result>;
  expect(clients.length).toBeGreaterThan(20);
  for (const { program, name, language } of clients) {
    const source = await readFile(join(LAB, program), "utf8");
    expect(page).toContain(
      `### ${name}\n\n<!-- ${program} -->\n\n\`\`\`${language}\n${source.trimEnd()}\n\`\`\`\n`,
    );
    expect(page).toContain(`[${name}](#`);
    expect(results[program], program).toMatchObject({ passed: 8, failed: 0 });
  }
});
