import { announceFilesChange } from "../files/files-changes.js";
import { toFailure } from "../messages.js";
import { createNetwork } from "../network/network.js";
import { createPutSlots, MAX_PUTS } from "../network/put-slots.js";
import { keepTransport } from "../network/transport-of.js";
import { browserRuntime, type Cancel, type Runtime } from "../runtime.js";
import type { UploadItem } from "../upload-item.js";
import type { UploadCommands, UploadSettings, UploadSnapshot } from "../upload-settings.js";
import { createAdmission } from "./admission.js";
import { createCancellations } from "./cancellations.js";
import { createCommands } from "./commands.js";
import { createDeletions } from "./deletions.js";
import { runningBytes } from "./discard-uploads.js";
import { createFileCollection } from "./file-collection.js";
import { createLeaveGuard } from "./leave-guard.js";
import { createLimits } from "./limits.js";
import { createPageHideListener } from "./page-hide.js";
import { createPublisher } from "./publisher.js";
import { createResumables } from "./resumables.js";
import { createScheduler } from "./scheduler.js";
import { createSpeedMeter } from "./speed-meter.js";
import { uploadFile } from "./upload-file.js";

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
  const failureOf = (cause: unknown, item: Pick<UploadItem, "name" | "size">) =>
    toFailure(
      cause,
      item,
      limits.current(),
      settings(),
      transport().discard ? runningBytes(files) : Infinity,
    );
  // Made by the first upload, and not with the store: React creates stores while it renders, which may read no clock and no
  // random number.
  let totalSpeed: ReturnType<typeof createSpeedMeter> | undefined;
  const measureTotalSpeed = (bytes: number) => (totalSpeed ??= createSpeedMeter(runtime))(bytes);
  let storeKey: string | undefined;

  const files = createFileCollection((event, { item }) => {
    if (event.type === "completed" || event.type === "failed" || event.type === "refused") {
      publisher.addEnded(item);
    }
    if (event.type === "parts-started") void resumables.opened(event.multipart, item.file);
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
    resumable: () => resumables.current(),
    connection: network.state,
    bytesPerSecond: () => measureTotalSpeed(0),
  });
  const resumables = createResumables({
    runtime,
    network,
    transport,
    settings,
    listedFiles: () =>
      Array.from(files.all()).flatMap(({ item }) => (item.status === "done" ? [] : item.file)),
    failureOf,
    onChange: () => publisher.publishSoon(),
  });
  const cancellations = createCancellations({
    runtime,
    network,
    transport,
    onAdded: resumables.ended,
    onChange: () => pageHideListener.update(),
  });
  const uploadDeps = {
    runtime,
    network,
    putSlots: createPutSlots(() => Math.max(MAX_PUTS, settings().concurrency ?? 0)),
    transport,
    settings,
    limits: limits.current,
    files,
    failureOf,
    findOpen: resumables.find,
    onDiscarded: resumables.refresh,
    storeKey: () => (storeKey ??= createStoreKey(runtime)),
    cancellations,
    onBytes: measureTotalSpeed,
    onWaiting: advance,
  };
  const scheduler = createScheduler({
    files,
    concurrency: () => settings().concurrency,
    capacity: network.capacity,
    upload: (file, signal) => uploadFile(uploadDeps, file, signal),
    onEnd: advance,
  });
  const deletions = createDeletions({
    files,
    network,
    transport,
    failureOf,
    onDeleted(path) {
      announceFilesChange(settings(), path);
      publisher.publishSoon();
    },
  });
  const commands = createCommands({
    files,
    admission: createAdmission({ files, settings, limits: limits.current, failureOf }),
    scheduler,
    cancellations,
    deletions,
    resumables,
    settings,
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
    cancellations,
    canContinue: resumables.isPossible,
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

  return {
    ...commands,
    subscribe(listener) {
      limits.fetchOnce();
      resumables.lookOnce();
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

/** Unique among the pages of one user, which is where the service compares keys. */
function createStoreKey({ now, random }: Pick<Runtime, "now" | "random">): string {
  return [now(), random(), random()].map((part) => part.toString(36).replace("0.", "")).join("-");
}
