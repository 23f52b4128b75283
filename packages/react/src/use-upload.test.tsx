// @vitest-environment happy-dom
import { createFakeTransport } from "@stowage/client/testing";
import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { StrictMode } from "react";
import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Backend, startBackend } from "@stowage/client-fixtures/backend";
import { aFile } from "@stowage/client-fixtures/runtime";
import { useUpload, type UseUploadResult } from "./use-upload.js";

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

test("continues with uploads when the component unmounts, and still calls its callbacks", async () => {
  const onUploaded = vi.fn();
  const { result, unmount } = renderHook(() => useUpload({ endpoint: backend.endpoint, onUploaded }), {
    wrapper: StrictMode,
  });
  act(() => result.current.add([aFile()]));
  unmount();
  await waitFor(() => expect(onUploaded).toHaveBeenCalledOnce());
  expect(backend.steps()).toEqual(["request", "put", "complete"]);
});

test("shows the list again when a component of the same endpoint, route and input is mounted later", async () => {
  backend.nextAnswers.put.push("hang");
  const options = { endpoint: backend.endpoint, route: "avatar", input: { album: 7 } };
  const first = renderHook(() => useUpload(options), { wrapper: StrictMode });
  act(() => first.result.current.add([aFile("a.jpg")]));
  await waitFor(() => expect(backend.of("put")).toHaveLength(1));
  first.unmount();
  const other = renderHook(() => useUpload({ ...options, input: { album: 8 } }));
  expect(other.result.current.items).toEqual([]);
  const again = renderHook(() => useUpload({ ...options }), { wrapper: StrictMode });
  expect(again.result.current.items.map(({ name }) => name)).toEqual(["a.jpg"]);
  act(() => again.result.current.cancelAll());
  await waitFor(() => expect(backend.abandonedCalls()).toBe(1));
});

test("keeps the list while the input of a mounted component changes", () => {
  const { result, rerender } = renderHook((input) => useUpload({ endpoint: backend.endpoint, input }), {
    initialProps: { title: "" },
  });
  act(() => result.current.add([aFile()]));
  rerender({ title: "A" });
  expect(result.current.items).toHaveLength(1);
});

test("gives each of two components of one route its own list, also when both are mounted again", async () => {
  const names = ({ items }: UseUploadResult) => items.map(({ name }) => name);
  const useTwo = () => [useUpload({ endpoint: backend.endpoint }), useUpload({ endpoint: backend.endpoint })];
  const first = renderHook(useTwo, { wrapper: StrictMode });
  act(() => first.result.current.forEach((list, index) => list.add([aFile(`${index}.jpg`)])));
  expect(first.result.current.map(names)).toEqual([["0.jpg"], ["1.jpg"]]);
  first.unmount();
  const again = renderHook(useTwo, { wrapper: StrictMode });
  expect(again.result.current.map(names)).toEqual([["0.jpg"], ["1.jpg"]]);
  await waitFor(() => expect(backend.of("complete")).toHaveLength(2));
});

test("shows no list of a transport to a component with another one", () => {
  const transport = createFakeTransport();
  const { result, unmount } = renderHook(() => useUpload({ transport, autoStart: false }));
  act(() => result.current.add([aFile()]));
  unmount();
  const other = renderHook(() => useUpload({ transport: createFakeTransport(), autoStart: false }));
  expect(other.result.current.items).toEqual([]);
});

test("renders on a server", () => {
  const Page = () => <p>{useUpload({ endpoint: "/api/upload" }).items.length}</p>;
  expect(renderToString(<Page />)).toBe("<p>0</p>");
});
