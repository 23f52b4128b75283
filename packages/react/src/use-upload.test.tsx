// @vitest-environment happy-dom
import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { StrictMode } from "react";
import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Backend, startBackend } from "../test/backend.js";
import { aFile } from "../test/runtime.js";
import { useUpload } from "./use-upload.js";

let backend: Backend;
beforeEach(async () => {
  backend = await startBackend();
});
afterEach(() => {
  cleanup();
  backend.close();
});

test("uploads once under StrictMode", async () => {
  const { result } = renderHook(() => useUpload({ endpoint: backend.endpoint }), { wrapper: StrictMode });
  act(() => result.current.add([aFile()]));
  await waitFor(() => expect(result.current.items[0]?.status).toBe("done"));
  expect(backend.steps()).toEqual(["request", "put", "complete"]);
  expect(result.current.totals).toMatchObject({ files: 1, done: 1, progress: 1 });
});

test("returns the same functions at each render, and the same result while nothing changed", () => {
  const { result, rerender } = renderHook(() =>
    useUpload({ endpoint: backend.endpoint, onUploaded: () => {} }),
  );
  const first = result.current;
  rerender();
  expect(result.current).toBe(first);
});

test("calls the callback of the latest render", async () => {
  const [old, latest] = [vi.fn(), vi.fn()];
  const { result, rerender } = renderHook(
    (onUploaded) => useUpload({ endpoint: backend.endpoint, onUploaded }),
    {
      initialProps: old,
    },
  );
  act(() => result.current.add([aFile()]));
  rerender(latest);
  await waitFor(() => expect(latest).toHaveBeenCalledOnce());
  expect(old).not.toHaveBeenCalled();
});

test("cancels active uploads when the component unmounts", async () => {
  backend.nextAnswers.put.push("hang");
  const onFailed = vi.fn();
  const options = { endpoint: backend.endpoint, concurrency: 1, onFailed };
  const { result, unmount } = renderHook(() => useUpload(options), { wrapper: StrictMode });
  act(() => result.current.add([aFile("a"), aFile("never sent")]));
  await waitFor(() => expect(backend.of("put")).toHaveLength(1));
  unmount();
  await waitFor(() => expect(backend.abandonedCalls()).toBe(1));
  await waitFor(() => expect(backend.steps()).toEqual(["request", "put", "cancel"]));
  expect(onFailed).not.toHaveBeenCalled();
});

test("renders on a server", () => {
  const Page = () => <p>{useUpload({ endpoint: "/api/upload" }).items.length}</p>;
  expect(renderToString(<Page />)).toBe("<p>0</p>");
});
