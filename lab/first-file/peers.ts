import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** An example app of a peer, in a clone of its repository. */
interface Peer {
  name: string;
  folder: string;
  /** The file that loads a font of Google. Without a connection to Google, it would measure a timeout. */
  layout: string;
  /** The version in place of `workspace:*`, which installs only in the peer's own repository. */
  workspaceVersion?: string;
}

export const UPLOADTHING: Peer = {
  name: "UploadThing, examples/minimal-appdir",
  folder: "examples/minimal-appdir",
  layout: "src/app/layout.tsx",
};
export const BETTER_UPLOAD: Peer = {
  name: "better-upload, apps/example",
  folder: "apps/example",
  layout: "src/app/layout.tsx",
  workspaceVersion: "3.0.19",
};

export async function copyPeer(peer: Peer, repository: string, into: string): Promise<void> {
  await cp(join(repository, peer.folder), into, { recursive: true });
  await change(join(into, peer.layout), (text) =>
    text
      .replace(/^import \{ Inter \} from ['"]next\/font\/google['"];?$/m, "")
      .replace(/= Inter\(.*\)/, '= { className: "" }'),
  );
  const { workspaceVersion } = peer;
  if (workspaceVersion !== undefined)
    await change(join(into, "package.json"), (text) => text.replaceAll("workspace:*", workspaceVersion));
}

async function change(path: string, by: (text: string) => string): Promise<void> {
  const before = await readFile(path, "utf8");
  const after = by(before);
  if (after === before) throw new Error(`${path} is not the file that this program knows`);
  await writeFile(path, after);
}
