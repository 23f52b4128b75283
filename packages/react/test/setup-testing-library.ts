import { configure } from "@testing-library/react";

// The library waits one second by default. That is too short when other test suites keep the machine busy.
configure({ asyncUtilTimeout: 10_000 });
