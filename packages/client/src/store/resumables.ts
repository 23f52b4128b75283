import type { FileSource } from "../file-source.js";
import { hasResumeMarker } from "../resume/resume-marker.js";
import type { ResumeDeps, ResumeSession, Unfinished } from "../resume/resume-session.js";
import { canSendParts } from "../transport.js";

const NOTHING: Unfinished = { resumable: [], lost: [] };

/**
 * Continues uploads by parts of another page, such as the one before a reload. The code for it is loaded with the first large
 * file, or if there may be an upload to continue.
 */
export function createResumables(deps: ResumeDeps) {
  const { settings, transport } = deps;
  let loading: Promise<ResumeSession | null> | null = null;
  let session: ResumeSession | null = null;
  let hasLooked = false;
  /** How often the list was emptied. */
  let generation = 0;

  const isPossible = () =>
    settings().resumable !== false && transport().open !== undefined && canSendParts(transport());

  /**
   * @param firstPage the first page of open uploads, if it is known that it is needed
   * @returns null if the code cannot be loaded, for example without a network, or if the list was emptied meanwhile
   */
  function load(firstPage?: () => ResumeDeps["firstPage"]): Promise<ResumeSession | null> {
    if (loading) return loading;
    const askedFor = generation;
    const loaded = import("../resume/resume-session.js");
    const sessionDeps = { ...deps, firstPage: firstPage?.() };
    loading = loaded.then(
      ({ createResumeSession }) =>
        askedFor === generation ? (session = createResumeSession(sessionDeps)) : null,
      () => (loading = null),
    );
    return loading;
  }

  async function look(isWanted: boolean) {
    const loaded = await load();
    void loaded?.findLost();
    if (isPossible() && (isWanted || (await loaded?.isRemembered()))) await loaded?.refresh();
  }

  return {
    /** Whether the backend and the page let uploads be continued. */
    isPossible,

    unfinished: (): Unfinished => session?.unfinished() ?? NOTHING,

    /** Looks once for uploads to continue, if the page wants it or this browser may remember one, and for lost files. */
    lookOnce() {
      const isWanted = settings().resumable === true;
      if (hasLooked || !(isWanted || hasResumeMarker())) return;
      hasLooked = true;
      void look(isWanted);
    },

    load,

    /** What `load` has loaded. */
    session: () => session,

    /** An upload is complete or cancelled. */
    ended: (path: string) => session?.forget(path),

    /** Uploads may have ended. */
    refresh: () => void session?.refresh(),

    /** @returns the file that continues the upload; null if it cannot continue, or if the list was emptied meanwhile */
    async fileFor(path: string, chosen: File | FileSource | undefined): Promise<File | null> {
      const askedFor = generation;
      const file = await session?.fileFor(path, chosen);
      return askedFor === generation ? (file ?? null) : null;
    },

    discard: (path: string) => void session?.discard(path),

    /** Forgets all uploads, because another user may sign in. The backend is asked again when the list is shown the next time. */
    clear() {
      generation++;
      session?.close();
      session = null;
      loading = null;
      hasLooked = false;
    },
  };
}

export type Resumables = ReturnType<typeof createResumables>;
