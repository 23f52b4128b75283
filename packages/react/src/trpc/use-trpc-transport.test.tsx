// @vitest-environment happy-dom
import { onlineManager, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, renderHook } from "@testing-library/react";
import type { TRPCLink } from "@trpc/client";
import { createTRPCReact } from "@trpc/react-query";
import { initTRPC } from "@trpc/server";
import { observable } from "@trpc/server/observable";
import type { ReactNode } from "react";
import { afterEach, expect, test } from "vitest";
import { type StowageTrpcHooks, useTrpcTransport } from "./index.js";

afterEach(() => {
  cleanup();
  onlineManager.setOnline(true);
});

const neverAborted = new AbortController().signal;

/** A page with tRPC's hooks. `answer` answers its calls. */
function aPage(answer: (path: string, input: unknown) => unknown) {
  const none = initTRPC.create().router({});
  const trpc = createTRPCReact<typeof none>();
  const link: TRPCLink<typeof none> =
    () =>
    ({ op: { path, input } }) =>
      observable((observer) => {
        observer.next({ result: { type: "data", data: answer(path, input) } });
        observer.complete();
      });
  // Many pages retry by default.
  const queryClient = new QueryClient({ defaultOptions: { mutations: { retry: 3 }, queries: { retry: 3 } } });
  const client = trpc.createClient({ links: [link] });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <trpc.Provider client={client} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </trpc.Provider>
  );
  // The contract of the transports tests the types of the real router.
  const hooks = trpc as unknown as { stowage: StowageTrpcHooks };
  return renderHook(() => useTrpcTransport(hooks.stowage), { wrapper });
}

test("is the same transport at every render, and calls the procedures of the router", async () => {
  const calls: [string, unknown][] = [];
  const page = aPage((path, input) => {
    calls.push([path, input]);
    return { routes: {}, path };
  });
  const transport = page.result.current;
  await transport.request({ filename: "a" }, neverAborted);
  await transport.complete({ file_path: "p" }, neverAborted);
  await transport.cancel?.({ file_path: "p" }, neverAborted);
  await transport.delete?.({ file_path: "p" }, neverAborted);
  expect(await transport.routes?.(neverAborted)).toMatchObject({ routes: {} });
  page.rerender();
  expect(page.result.current).toBe(transport);
  expect(calls).toEqual([
    ["stowage.request", { filename: "a" }],
    ["stowage.complete", { file_path: "p" }],
    ["stowage.cancel", { file_path: "p" }],
    ["stowage.delete", { file_path: "p" }],
    ["stowage.routes", undefined],
  ]);
});

test("gives each of several parallel calls its own answer", async () => {
  const page = aPage((_path, input) => input);
  const { request } = page.result.current;
  const answers = await Promise.all(["a", "b", "c"].map((filename) => request({ filename }, neverAborted)));
  expect(answers).toEqual([{ filename: "a" }, { filename: "b" }, { filename: "c" }]);
});

test("neither waits for the network nor retries, because the widget does both", async () => {
  let asked = 0;
  const page = aPage(() => {
    asked++;
    throw new TypeError("fetch failed");
  });
  onlineManager.setOnline(false);
  await expect(page.result.current.request({ filename: "a" }, neverAborted)).rejects.toMatchObject({
    code: "network_error",
  });
  await expect(page.result.current.routes?.(neverAborted)).rejects.toMatchObject({ code: "network_error" });
  expect(asked).toBe(2);
});

test("rejects a call immediately when the page aborts it, though hooks get no signal", async () => {
  const page = aPage(() => new Promise(() => {}));
  const reason = new Error("gone");
  const caller = new AbortController();
  const asked = page.result.current.request({ filename: "a" }, caller.signal);
  caller.abort(reason);
  await expect(asked).rejects.toBe(reason);
});
