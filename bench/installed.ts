/**
 * Millrace as who installs it has it.
 *
 * It is made anew for each run of the bench, so what is measured is this code.
 */
import { tmpdir } from "node:os"
import { join } from "node:path"
import { install as installIn } from "../scripts/install.ts"

const folder = join(tmpdir(), "millrace-bench-installed")

/** The command line. */
export const millrace = join(folder, "bin/millrace")

export const install = (): void => void installIn(folder)
