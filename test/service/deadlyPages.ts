/**
 * Loaded before a process of Millrace and all its threads: a page with this comment ends the process that reads it, as a page
 * does whose reading meets a fault of the machine code. Who ended is written into the file that is named.
 */
import { appendFileSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

export const deadly = "<!-- whoever reads this ends -->"

const file = process.env["MILLRACE_TEST_ENDINGS"]

/** What a process that starts with this in front of its command line has loaded. */
export const loading = (endings: string): ReadonlyArray<string> => [
  "env",
  `MILLRACE_TEST_ENDINGS=${endings}`,
  `NODE_OPTIONS=--disable-warning=ExperimentalWarning --import=${fileURLToPath(import.meta.url)}`
]

/** Who ended, in this order, each with the process that had started it. */
export const endingsIn = (endings: string) =>
  readFileSync(endings, "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(" ").map(Number))
    .map(([pid, parent]) => ({ pid, parent }))

if (file !== undefined) {
  globalThis.TextDecoder = class extends TextDecoder {
    override decode(...[input, options]: Parameters<TextDecoder["decode"]>): string {
      const text = super.decode(input, options)
      if (!text.includes(deadly)) return text
      appendFileSync(file, `${process.pid} ${process.ppid}\n`)
      process.kill(process.pid, "SIGKILL")
      for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    }
  }
}
