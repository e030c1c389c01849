/**
 * The folder of this package: the nearest one above with a package.json, in a checkout as in an installed package.
 */
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"

export const packageFolder = (from: string = import.meta.dirname): string =>
  existsSync(join(from, "package.json")) || dirname(from) === from ? from : packageFolder(dirname(from))
