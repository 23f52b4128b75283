import { type NewFile, readLayer } from "../files.js";
import type { NextApp } from "./app.js";

const PAGE = "app/files/page.tsx";

/** The files of the template that an existing app needs: the helper, the component, the route and a page at /files. */
export async function nextFiles({ source }: NextApp): Promise<NewFile[]> {
  const layers = (await Promise.all(["base", "react", "next"].map(readLayer))).flat();
  const ours = layers.filter(({ path }) => /^src\/(stowage|app\/api)\//.test(path));
  const page = {
    path: `${source}${PAGE}`,
    text: 'export { Documents as default } from "../../stowage/documents";\n',
  };
  return [...ours.map(({ path, text }) => ({ path: path.replace(/^src\//, source), text })), page];
}

/** What a person has to do after the files are there. */
export function nextTasks({ source, hasBasePath }: NextApp): string[] {
  return [
    `Return the ID of your signed-in user in ${source}stowage/session.ts. In production it signs no one in yet.`,
    ...(hasBasePath
      ? [`Add the basePath of your next.config to ENDPOINT in ${source}stowage/documents.tsx.`]
      : []),
    "Start your app and open /files.",
  ];
}
