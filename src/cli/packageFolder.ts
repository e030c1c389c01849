/**
 * The folder of this package: the nearest one above with a package.json, in a checkout as in an installed package; and how
 * its command line is started from there.
 */
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"

export const packageFolder = (from: string = import.meta.dirname): string =>
  existsSync(join(from, "package.json")) || dirname(from) === from ? from : packageFolder(dirname(from))

/** The program and its first arguments. Windows has no sh for the launcher. */
export const ownCommand = (): readonly [program: string, ...args: ReadonlyArray<string>] =>
  process.platform === "win32"
    ? [process.execPath, join(packageFolder(), "bin/millrace.cjs")]
    : [join(packageFolder(), "bin/millrace")]
