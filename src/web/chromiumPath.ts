/** Where Chromium is on this machine: for the browser, and for what opens a page in one. */
import { existsSync } from "node:fs"

const paths = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome-stable"]

/** The path that `PLAYWRIGHT_CHROMIUM` names, or one of the usual paths; undefined: there is none. */
export const chromiumPath = (): string | undefined => {
  const path = process.env["PLAYWRIGHT_CHROMIUM"]
  if (path !== undefined && path !== "") return existsSync(path) ? path : undefined
  return paths.find((usual) => existsSync(usual))
}
