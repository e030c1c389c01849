/**
 * The folder of this package, in a checkout or installed: the nearest parent folder with its launcher. And the command that starts
 * its command line.
 */
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"

export const packageFolder = (from: string = import.meta.dirname): string =>
  existsSync(join(from, "bin/millrace.cjs")) || dirname(from) === from ? from : packageFolder(dirname(from))

/** The program and its first arguments. The launcher is a script of sh, which Windows does not have. */
export const ownCommand = (): readonly [program: string, ...args: ReadonlyArray<string>] =>
  process.platform === "win32"
    ? [process.execPath, join(packageFolder(), "bin/millrace.cjs")]
    : [join(packageFolder(), "bin/millrace")]
