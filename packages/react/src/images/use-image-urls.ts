import {
  type BackendSettings,
  type ImageUrl,
  type ImageUrls,
  browserRuntime,
  createImageUrls,
  transportOf,
} from "@stowage/client/internals";
import { useCallback, useEffect, useMemo, useSyncExternalStore } from "react";
import { useIsomorphicLayoutEffect } from "../parts/use-isomorphic-layout-effect.js";

/** The URLs of the images of one component. Another backend or variant starts again. */
export function useImageUrls(settings: BackendSettings, variant: string | undefined): ImageUrls {
  const { endpoint } = settings;
  // Two transport objects count as the same backend, because a page may create one with each render.
  const backend = settings.transport ? "transport" : endpoint;
  const urls = useMemo(() => urlsOf(variant, backend), [variant, backend]);
  useIsomorphicLayoutEffect(() => urls.connect(() => transportOf(settings)));
  useEffect(() => () => urls.stop(), [urls]);
  return urls;
}

const urlsOf = (variant: string | undefined, _backend: string | undefined) =>
  createImageUrls({ runtime: browserRuntime, variant });

const LOADING: ImageUrl = { status: "loading" };

/** @param isWanted false asks for nothing, for example because the image is far away */
export function useImageUrl(urls: ImageUrls, path: string, isWanted: boolean): ImageUrl {
  const subscribe = useCallback(
    (listener: () => void) => (isWanted ? urls.watch(path, listener) : () => {}),
    [urls, path, isWanted],
  );
  return useSyncExternalStore(
    subscribe,
    () => urls.get(path),
    () => LOADING,
  );
}
