import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { useState } from "react";
import { LazyNotifications } from "./components/notifications.js";
import { createQueryClient } from "./query-client.js";
import { router } from "./router.js";
import { cssVariables, theme } from "./theme.js";
import { trpc, trpcClient } from "./trpc.js";

/** The application: theme, query cache, notifications and the router. */
export function Providers() {
  const [queryClient] = useState(createQueryClient);
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <trpc.Provider client={trpcClient} queryClient={queryClient}>
        <QueryClientProvider client={queryClient}>
          <LazyNotifications />
          <RouterProvider router={router} />
        </QueryClientProvider>
      </trpc.Provider>
    </MantineProvider>
  );
}
