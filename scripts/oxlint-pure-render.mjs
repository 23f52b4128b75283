// A plugin of oxlint. oxlint's `react/purity` sees clocks and `Math.random()` in the body of a component only
// (findings/react-purity-rule.sh). This rule also sees other random numbers, and what a server and a browser answer differently, in all
// code that a component may call, such as the initialiser of a state. .oxlintrc.json names the folders.

/** The members that may not be called, by their object. `*`: all of them. */
const IMPURE = {
  Date: ["now"],
  Math: ["random"],
  performance: ["*"],
  crypto: ["*"],
  browserRuntime: ["now", "uptimeMs", "random"],
};
const GLOBALS_OF_BROWSERS = new Set(["window", "document", "navigator", "location", "localStorage"]);
const FORMATS = new Set([
  "toLocaleString",
  "toLocaleDateString",
  "toLocaleTimeString",
  "toLocaleUpperCase",
  "toLocaleLowerCase",
]);

const WITHOUT =
  "A component renders on servers and in browsers, at any time, more than once. Read it in an effect or a listener, or take it from `Runtime`.";

const pureRender = {
  create(context) {
    const report = (node, what) => context.report({ node, message: `${what}. ${WITHOUT}` });
    return {
      MemberExpression(node) {
        const object = withoutGlobalThis(node.object);
        const members = Object.hasOwn(IMPURE, object) ? IMPURE[object] : [];
        const name = nameOf(node);
        if (members.includes(name) || members.includes("*")) report(node, `\`${object}.${name}\` is impure`);
      },
      CallExpression(node) {
        if (node.callee.type === "Identifier" && node.callee.name === "Date")
          report(node, "`Date()` tells the time");
        const method = node.callee.type === "MemberExpression" ? nameOf(node.callee) : "";
        if (FORMATS.has(method) && isDefaultLocale(node.arguments[0]))
          report(node, `\`${method}\` without a locale takes the one of the server or of the browser`);
      },
      NewExpression(node) {
        if (node.callee.type === "Identifier" && node.callee.name === "Date" && node.arguments.length === 0)
          report(node, "`new Date()` tells the time");
        const isFormat =
          node.callee.type === "MemberExpression" && withoutGlobalThis(node.callee.object) === "Intl";
        if (isFormat && isDefaultLocale(node.arguments[0]))
          report(node, "An `Intl` format without a locale takes the one of the server or of the browser");
      },
      UnaryExpression(node) {
        const isGlobal = node.argument.type === "Identifier" && GLOBALS_OF_BROWSERS.has(node.argument.name);
        // At the top of a module, the answer is the same at every render, and cannot be in the page.
        if (node.operator === "typeof" && isGlobal && isInFunction(node))
          report(node, `\`typeof ${node.argument.name}\` differs between servers and browsers`);
      },
    };
  },
};

const nameOf = ({ property, computed }) => (computed ? (property.value ?? "") : property.name);

/** `Date` of `Date`, `globalThis.Date` and `window.Date`; empty for an expression. */
function withoutGlobalThis(node) {
  if (node.type === "Identifier") return node.name;
  const isGlobal = node.type === "MemberExpression" && node.object.type === "Identifier";
  return isGlobal && ["globalThis", "window", "self"].includes(node.object.name) ? nameOf(node) : "";
}

const isDefaultLocale = (argument) =>
  argument === undefined || (argument.type === "Identifier" && argument.name === "undefined");

function isInFunction({ parent }) {
  for (let node = parent; node; node = node.parent) if (/Function/.test(node.type)) return true;
  return false;
}

export default { meta: { name: "stowage" }, rules: { "pure-render": pureRender } };
