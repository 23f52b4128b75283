import { withBase } from "../vitest.base.js";

/** A pattern of the labs whose tests run, such as `soak` or `{nightly,fuzz}`: `pnpm lab` sets it. */
const LAB = process.env["LAB"];
/** These install and build apps of customers, one after another, because each of them needs the whole machine. */
const APPS = ["first-file", "frameworks", "next", "release", "shadcn", "templates"];
const isOfApps = APPS.some((name) => name === LAB);

const project = (name: string, include: string, test: { [setting: string]: unknown }) => ({
  extends: true as const,
  test: { name, include: [`${LAB}/${include}`], testTimeout: 3_600_000, ...test },
});

/** The fast tests are part of `npm test`. The others (`*.lab.ts`) run only with `pnpm lab`, which says what each of them needs. */
export default withBase(
  {},
  {},
  {
    folders: "{first-file,soak}",
    lab: {
      test: {
        projects: [
          isOfApps
            ? project("apps", "*.lab.ts", { fileParallelism: false })
            : project("service", "*.lab.ts", {
                globalSetup: "../apps/service/test/fixtures/global-setup.ts",
              }),
          project("e2e", "e2e/*.lab.ts", { globalSetup: "../e2e/fixtures/global-setup.ts" }),
        ],
      },
    },
  },
);
