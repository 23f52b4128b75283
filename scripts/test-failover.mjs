// `pnpm test:failover`: the tests with a replicated database behind HAProxy. Arguments are passed to vitest. It is not part
// of `npm test`, because HAProxy and Patroni come from Debian and not from npm.
import { installDebianPackages } from "./debian-packages.mjs";
import { runGroup } from "./run-group.mjs";

installDebianPackages(["haproxy", "patroni", "etcd-server", "postgresql-15"]);
runGroup("apps/service", "failover", process.argv.slice(2));
