/**
 * Imports a module at an address that is only known at run time. A file of its own, because Metro, the bundler of React Native, refuses such
 * an import: `package.json` leaves this file out there.
 */
export const importAgain = (url: string): Promise<object> =>
  import(/* webpackIgnore: true */ /* @vite-ignore */ url);
