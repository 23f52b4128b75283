const MIN_NODE = [20, 19];

/** Exits with a message if Node is too old. */
export function requireNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1])) return;
  console.error(`Stowage needs Node ${MIN_NODE.join(".")} or newer. This is Node ${process.versions.node}.`);
  process.exit(1);
}
