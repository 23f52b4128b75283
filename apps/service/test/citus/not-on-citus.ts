/** The slow tests that `pnpm test:citus` leaves out, and why. It prints this list. */
export const notOnCitus: Record<string, string> = {
  "test/plans/*.slow.test.ts":
    "they read plans of plain PostgreSQL; on Citus each node runs the same statement with the same indexes",
};
