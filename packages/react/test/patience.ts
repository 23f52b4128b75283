import { configure } from "@testing-library/react";

/*
 * How long a test waits for what it expects to see: as long as a busy machine may need. The second that the library waits is over
 * when eight other suites run beside this one.
 */
configure({ asyncUtilTimeout: 10_000 });
