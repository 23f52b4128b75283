import { acceptSnsMessage, type AcceptSnsMessageDeps } from "./accept-sns-message.js";
import { noteStorageEvents, type NoteStorageEventsDeps } from "./note-storage-events.js";
import { readStorageEvents } from "./read-storage-events.js";
import { readSnsContent, readSnsMessage } from "./sns-message.js";

export type TakeNotificationDeps = AcceptSnsMessageDeps & NoteStorageEventsDeps;

/**
 * Takes what a storage's notification service posted, in any of its wrappings, and looks at what it tells of.
 *
 * @param body parsed JSON
 * @returns how many paths were looked at
 * @throws {StowageError} `invalid_request`, `unauthorized` for an SNS message that is forged or of another topic, `unavailable`
 */
export async function takeNotification(deps: TakeNotificationDeps, body: unknown): Promise<number> {
  const message = readSnsMessage(body);
  if (!message) return noteStorageEvents(deps, readStorageEvents(body));
  await acceptSnsMessage(deps, message);
  if (message.Type !== "Notification") return 0;
  return noteStorageEvents(deps, readStorageEvents(readSnsContent(message)));
}
