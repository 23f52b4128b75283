// `pnpm lab restore`: backs up a database under load with pgBackRest, destroys it, restores it to a moment and reconciles it with storage.
// Arguments are passed to vitest.
import { installDebianPackages } from "../scripts/debian-packages.mjs";
import { runLab } from "./run-lab.mjs";

// The pgBackRest of Debian 12 supports PostgreSQL up to 15, and npm's PostgreSQL is newer.
installDebianPackages(["postgresql-15", "pgbackrest"]);
process.exitCode = runLab("restore", process.argv.slice(2));
