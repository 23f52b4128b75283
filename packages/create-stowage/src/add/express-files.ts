import { posix } from "node:path";
import { type NewFile, readLayer } from "../files.js";
import { DOCS } from "../package-root.js";
import type { ExpressApp } from "./app.js";

const EXTENSIONS = { TypeScript: "ts", "ES modules": "js", CommonJS: "mjs" } as const;

/** The handler, and the component if the app has a page with React and Vite. */
export async function expressFiles(app: ExpressApp): Promise<NewFile[]> {
  const [handler] = await readLayer("add-express");
  const files = [{ path: handlerPath(app), text: handler!.text }];
  if (!app.hasReactPage) return files;
  const layers = (await Promise.all(["base", "react"].map(readLayer))).flat();
  const component = layers.filter(({ path }) => path.startsWith("src/stowage/documents."));
  return [
    ...files,
    ...component.map(({ path, text }) => ({ path: path.replace(/^src\//, app.source), text })),
  ];
}

/** What a person has to do after the files are there. */
export function expressTasks(app: ExpressApp): string[] {
  const { entry, source, hasReactPage } = app;
  const tasks: string[] = [];
  if (!entry?.isMounted) {
    const place = entry?.path ?? "the file that creates your Express app";
    tasks.push(
      `Add these lines to ${place}:\n\n     ${importLine(app)}\n     app.use("/api/stowage", stowageHandler());\n`,
    );
  }
  return [
    ...tasks,
    `Return the ID of your signed-in user in ${handlerPath(app)}. It signs no one in yet, except with NODE_ENV=development.`,
    "Load .env when your app starts, for example with `node --env-file=.env`.",
    hasReactPage
      ? `Render <Documents /> of ${source}stowage/documents.tsx in your page. If Vite serves it in development, let its server.proxy pass /api to Express.`
      : `Add the upload widget to your page: ${DOCS.widget}`,
  ];
}

function handlerPath({ source, language }: ExpressApp): string {
  return `${source}stowage.${EXTENSIONS[language]}`;
}

function importLine(app: ExpressApp): string {
  const from = posix.dirname(app.entry?.path ?? `${app.source}app.js`);
  const target = posix.relative(from, handlerPath(app)).replace(/\.ts$/, ".js");
  const specifier = target.startsWith(".") ? target : `./${target}`;
  // Node loads ES modules with `require` since 20.19.
  if (app.language === "CommonJS") return `const { stowageHandler } = require("${specifier}");`;
  return `import { stowageHandler } from "${specifier}";`;
}
