import { announceFilesChange } from "../files/files-changes.js";
import { type FailureOf, toFailure } from "../messages.js";
import { loadHttpCalls } from "../network/http-transport.js";
import { createNetwork } from "../network/network.js";
import { keepTransport } from "../network/transport-of.js";
import { browserRuntime, type Cancel, type Runtime, wait } from "../runtime.js";
import type { UploadCommands, UploadSettings, UploadSnapshot } from "../upload-settings.js";
import { createAdmission } from "./admission.js";
import { createCommands } from "./commands.js";
import { createFileCollection } from "./file-collection.js";
import { createLeaveGuard } from "./leave-guard.js";
import { createLimits } from "./limits.js";
import { createPageHideListener } from "./page-hide.js";
import { createPublisher } from "./publisher.js";
import { createResumables } from "./resumables.js";
import { createScheduler } from "./scheduler.js";
import { createUploadsOnDemand } from "./uploads-on-demand.js";

/** A list of files and their uploads. Any view can use it: `subscribe` tells of changes, `getSnapshot` has what to show. */
export interface UploadStore<Data = unknown> extends UploadCommands {
  subscribe(listener: () => void): Cancel;
  getSnapshot(): UploadSnapshot<Data>;
  /** The empty list, as a server renders it: for the third argument of React's `useSyncExternalStore`. Always the same object. */
  getServerSnapshot(): UploadSnapshot<Data>;
  /** Whether a file is uploaded, waits for its turn or is paused. Files that wait for `start()` do not count. */
  isRunning(): boolean;
  /** Replaces the settings. A running upload uses the new settings from its next step on. */
  configure(settings: UploadSettings<Data>): void;
}

/**
 * Creates an upload list. It makes no call before it is subscribed to or gets files.
 *
 * @typeParam Data what the route's `onComplete` returns. The store passes this value on and never reads it
 * @throws {TypeError} if the settings have neither an endpoint nor a transport, or have a limit that is not a valid size
 */
export function createUploadStore<Data = unknown>(
  settings: UploadSettings<Data>,
  runtime?: Runtime,
): UploadStore<Data>;
export function createUploadStore(initial: UploadSettings, runtime: Runtime = browserRuntime): UploadStore {
  let currentSettings = initial;
  const settings = () => currentSettings;
  const transportOf = keepTransport(runtime);
  const transport = () => transportOf(settings());
  const failureOf: FailureOf = (cause, item, furtherErrors, runningBytes) =>
    toFailure(
      cause,
      item,
      limits.current(),
      settings(),
      furtherErrors,
      // Without this call, a person can do nothing about unfinished uploads.
      transport().discard ? runningBytes : Infinity,
    );

  const files = createFileCollection((event, { item }) => {
    if (event.type === "completed" || event.type === "failed" || event.type === "refused") {
      publisher.addEnded(item);
    }
    if (event.type === "completed") {
      resumables.ended(event.result.file_path);
      announceFilesChange(settings());
    }
    publisher.publishSoon();
  });
  const network = createNetwork(runtime, transport, advance);
  const limits = createLimits({ settings, transport, network, onChange: () => publisher.publish() });
  const publisher = createPublisher({
    runtime,
    settings,
    files,
    limits: limits.current,
    unfinished: () => resumables.unfinished(),
    connection: network.state,
    bytesPerSecond: () => uploads.loaded()?.bytesPerSecond() ?? null,
  });
  const resumables = createResumables({
    runtime,
    network,
    transport,
    settings,
    listedFiles: () =>
      Array.from(files.all()).flatMap(({ item }) => (item.status === "done" ? [] : item.file)),
    failureOf,
    onStored: () => announceFilesChange(settings()),
    onChange: () => publisher.publishSoon(),
  });
  const uploads = createUploadsOnDemand({
    runtime,
    network,
    transport,
    settings,
    limits: limits.current,
    files,
    failureOf,
    resumables,
    onDeleted(path) {
      announceFilesChange(settings(), path);
      publisher.publishSoon();
    },
    wait: (delayMs, signal) => wait(runtime, delayMs, signal),
    onCancellationChange: () => pageHideListener.update(),
    onRoom: advance,
  });
  const scheduler = createScheduler({
    files,
    concurrency: () => settings().concurrency,
    capacity: network.capacity,
    upload: uploads.upload,
    onEnd: advance,
  });
  const commands = createCommands({
    files,
    admission: createAdmission({
      files,
      settings,
      limits: limits.current,
      accepts: uploads.accepts,
      failureOf,
    }),
    scheduler,
    uploads,
    resumables,
    settings,
    onLeftOut: publisher.setLeftOut,
    onRestart: publisher.restartProgress,
    onCommand() {
      advance();
      publisher.publish();
    },
  });
  const leaveGuard = createLeaveGuard({ runtime, files, settings });
  const pageHideListener = createPageHideListener({
    runtime,
    files,
    uploads,
  });
  // Throws if the settings have neither an endpoint nor a transport. Without this call, only the first upload would throw.
  transport();

  /** Fetches the limits, watches the connection and the page, and starts waiting files. Called after each change that may let a file start. */
  function advance() {
    limits.fetchOnce();
    if (network.state() !== publisher.getSnapshot().connection) publisher.publishSoon();
    const { active, paused } = files.counts();
    network.watch(active > paused);
    pageHideListener.update();
    leaveGuard.update();
    scheduler.startNext();
  }

  /** A list that is shown is likely to get files. With the code there, they start without a pause, even if the page is old by then. */
  function preload() {
    void uploads.preload();
    if (!settings().transport) loadHttpCalls().catch(() => {});
  }

  return {
    ...commands,
    subscribe(listener) {
      limits.fetchOnce();
      resumables.lookOnce();
      preload();
      return publisher.subscribe(listener);
    },
    getSnapshot: publisher.getSnapshot,
    getServerSnapshot: publisher.getServerSnapshot,
    isRunning: () => scheduler.isRunning() || files.counts().paused > 0,
    configure(next) {
      currentSettings = next;
      limits.refresh();
      advance();
    },
  };
}
