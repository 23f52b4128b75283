import type { BackendSettings } from "../network/transport-of.js";
import type { Cancel } from "../runtime.js";
import type { UploadTransport } from "../transport.js";

/** @param deletedPath undefined if a file was added */
type Listener = (deletedPath: string | undefined) => void;

/** What two lists of one backend have in common: the endpoint, or the transport object. */
type Backend = string | UploadTransport;

/*
 * Connects the upload stores and the lists of files of one page. They are in different components, and a store may outlive its
 * component, so no React context reaches both. Only mounted lists listen, so the map is empty on servers.
 */
const listeners = new Map<Backend, Set<Listener>>();

/** Calls the listener when an upload list of the same backend has stored or deleted a file. */
export function onFilesChange(settings: BackendSettings, listener: Listener): Cancel {
  const backend = backendOf(settings);
  const ofBackend = listeners.get(backend) ?? new Set();
  listeners.set(backend, ofBackend.add(listener));
  return () => {
    ofBackend.delete(listener);
    if (ofBackend.size === 0) listeners.delete(backend);
  };
}

/** Tells the lists of the same backend that a file was stored, or that the file at `deletedPath` was deleted. */
export function announceFilesChange(settings: BackendSettings, deletedPath?: string): void {
  for (const listener of listeners.get(backendOf(settings)) ?? []) listener(deletedPath);
}

export function backendOf({ transport, endpoint = "" }: BackendSettings): Backend {
  return transport ?? endpoint.replace(/\/+$/, "");
}
