// `pnpm test:restore`: backs up a database under load with pgBackRest, destroys it, restores it to a moment and reconciles it with
// storage. Arguments are passed to vitest. It is not part of `npm test`, because PostgreSQL with pgBackRest comes from Debian.
import { installDebianPackages } from "./debian-packages.mjs";
import { runGroup } from "./run-group.mjs";

// The pgBackRest of Debian 12 supports PostgreSQL up to 15, and npm's PostgreSQL is newer.
installDebianPackages(["postgresql-15", "pgbackrest"]);
runGroup("apps/service", "restore", process.argv.slice(2));
