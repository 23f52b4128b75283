// @vitest-environment happy-dom
import { createFakeTransport } from "@stowage/client/testing";
import { act, cleanup, render, renderHook, screen } from "@testing-library/react";
import { StrictMode } from "react";
import { afterEach, expect, test } from "vitest";
import { aFile } from "@stowage/client-fixtures/runtime";
import { choose } from "../../test/rendered-widget.js";
import { createUploadClient, Upload } from "../index.js";
import { useUpload } from "../use-upload.js";

afterEach(cleanup);

const transport = createFakeTransport();
const settings = { transport, autoStart: false };

test("never shows the list of one user to the next one", async () => {
  const rendered: string[] = [];
  function Files({ user }: { user: string }) {
    const { items } = useUpload(settings);
    rendered.push(`${user}: ${items.map(({ name }) => name)}`);
    return null;
  }
  const page = (user: string) => (
    <Upload.Provider user={user}>
      <Upload.Root {...settings}>
        <Upload.List />
      </Upload.Root>
      <Files user={user} />
    </Upload.Provider>
  );
  const { rerender } = render(page("ada"), { wrapper: StrictMode });
  choose(aFile("secret.pdf"));
  await screen.findByText("secret.pdf");
  rerender(page("grace"));
  expect(screen.queryByText("secret.pdf")).toBeNull();
  expect(rendered.filter((line) => line.startsWith("grace")).every((line) => line === "grace: ")).toBe(true);
  rerender(page("ada"));
  expect(screen.queryByText("secret.pdf")).toBeNull();
});

test("shows no upload of one user to the next one after a page without a provider", async () => {
  const client = createUploadClient();
  const put = transport.holdNext("put");
  const page = (user: string | null, isListShown: boolean) => (
    <Upload.Provider client={client} user={user}>
      {isListShown && <Upload.Root transport={transport} />}
      <Upload.Tray />
    </Upload.Provider>
  );
  const { rerender } = render(page("ada", true), { wrapper: StrictMode });
  choose(aFile("secret.pdf"));
  await put.arrived;
  rerender(page("ada", false));
  await screen.findByText("secret.pdf");

  rerender(<p>Sign in</p>);
  rerender(page(null, false));
  expect(screen.queryByText("secret.pdf")).toBeNull();
  rerender(<p>Sign in</p>);
  rerender(page("ada", false));
  expect(screen.queryByText("secret.pdf")).not.toBeNull();

  rerender(<p>Sign in</p>);
  rerender(page("grace", false));
  expect(screen.queryByText("secret.pdf")).toBeNull();
  await expect.poll(() => transport.uploads).toEqual([]);
});

test("ends the lists with the provider, unless it has a client of its own", async () => {
  const client = createUploadClient();
  const within = (given: Upload.ProviderProps) =>
    renderHook(() => useUpload(settings), {
      wrapper: ({ children }) => <Upload.Provider {...given}>{children}</Upload.Provider>,
    });
  const own = within({});
  const lasting = within({ client });
  const put = transport.holdNext("put");
  act(() => own.result.current.add([aFile()]));
  act(() => own.result.current.start());
  await put.arrived;
  act(() => lasting.result.current.add([aFile()]));
  own.unmount();
  lasting.unmount();
  await expect.poll(() => transport.uploads).toEqual([]);
  expect(within({ client }).result.current.items).toHaveLength(1);
  client.clear();
  expect(within({ client }).result.current.items).toEqual([]);
});
