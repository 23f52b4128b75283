import type { UploadTransport } from "@stowage/client";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { httpLink } from "@trpc/client";
import { createTRPCReact } from "@trpc/react-query";
import { renderToString } from "react-dom/server";
import type { AppRouter } from "@stowage/client-fixtures/transports/helper";
import { testTransport } from "@stowage/client-fixtures/transports/transport-contract";
import { overHelper } from "@stowage/client-fixtures/transports/transport-fixtures";
import { useTrpcTransport } from "./use-trpc-transport.js";

/** Renders as on a server, because the helper refuses to run in a page with a document. */
const trpcHooks = overHelper(({ trpc: url, headers }) => {
  const api = createTRPCReact<AppRouter>();
  const client = api.createClient({ links: [httpLink({ url, headers })] });
  const queryClient = new QueryClient();
  let transport: UploadTransport | undefined;
  function Page() {
    transport = useTrpcTransport(api.stowage);
    return null;
  }
  renderToString(
    <api.Provider client={client} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <Page />
      </QueryClientProvider>
    </api.Provider>,
  );
  if (!transport) throw new Error("the page was not rendered");
  return transport;
});

testTransport("the hooks of tRPC", trpcHooks);
