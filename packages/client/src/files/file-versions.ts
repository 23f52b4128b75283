import type { UploadTransport } from "../transport.js";
import { required } from "./file-links.js";
import type { FilesCommands } from "./files-settings.js";

/**
 * The commands of a files store for versions.
 *
 * @param answerOf makes the calls, and gives their failures a message
 * @param onReplaced is called with the path of a file that a version replaced
 */
export function createVersionCommands(
  answerOf: <Answer>(
    call: (transport: UploadTransport, signal: AbortSignal) => Promise<Answer>,
  ) => Promise<Answer>,
  onReplaced: (path: string) => void,
): Pick<FilesCommands, "versionsOf" | "restoreVersion"> {
  return {
    versionsOf: ({ file_path }) =>
      answerOf(async (transport, signal) => {
        const list = required(transport.versions, "versions_refused");
        return (await list.call(transport, { file_path }, signal)).versions;
      }),

    async restoreVersion({ file_path }, { file_path: version }) {
      const restored = await answerOf((transport, signal) =>
        required(transport.restoreVersion, "versions_refused").call(
          transport,
          { file_path, version },
          signal,
        ),
      );
      onReplaced(file_path);
      return restored;
    },
  };
}
