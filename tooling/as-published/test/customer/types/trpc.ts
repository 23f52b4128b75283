import type { Stowage } from "@stowage/server";
import { createStowageRouter, stowageErrorFormatter } from "@stowage/server/trpc";
import { initTRPC } from "@trpc/server";

/** The helper as a part of the customer's own tRPC router. */
const t = initTRPC
  .context<{ request: Request; locale: string }>()
  .create({ errorFormatter: stowageErrorFormatter });

export function appRouterOf(stowage: Stowage) {
  return t.router({
    files: createStowageRouter(stowage),
    greeting: t.procedure.query(({ ctx }) => ctx.locale),
  });
}

export async function path(appRouter: ReturnType<typeof appRouterOf>, request: Request): Promise<string> {
  const caller = appRouter.createCaller({ request, locale: "en" });
  const { file_path } = await caller.files.request({ filename: "a.txt" });
  return file_path;
}

export const misuses: unknown[] = [
  (stowage: Stowage) =>
    // @ts-expect-error: the context has no request
    t.router({ files: createStowageRouter(stowage) }).createCaller({ locale: "en" }),
];
