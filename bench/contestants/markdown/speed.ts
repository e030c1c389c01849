/** Converts every page of the sample once: `node speed.ts <contestant> <every>`. */
import { setImmediate } from "node:timers/promises"
import type { Convert } from "./Convert.ts"
import { list, read } from "./pages.ts"

const [name = "", every = "1"] = process.argv.slice(2)
const { convert }: { readonly convert: Convert } = await import(`./${name}.ts`)
const pages = read(list(Number(every)))
const began = process.cpuUsage()
let characters = 0
for (const { body, url } of pages) {
  characters += convert(body, url).length
  // jsdom lets go of a page only when its own events have run.
  await setImmediate()
}
const { user, system } = process.cpuUsage(began)
const cpu = (user + system) / 1e6
console.log(
  JSON.stringify({
    count: pages.length,
    figures: { "pages/CPU s": pages.length / cpu, "MB of Markdown": characters / 1e6 }
  })
)
