/**
 * How many sections of a folder of government texts are found: `node bench/gov/count.ts PATH`.
 *
 * What is expected is counted with expressions over the raw files, not with our readers: start tags of sections that stand
 * in no quotation, headings with a number and text behind them. The readers are timed alone; memory is what a command takes
 * with the launcher's flags (`bin/millrace`). In HTML the count misses headings whose text begins with a heading of its
 * own, and counts a text that is printed twice.
 */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { styleText } from "node:util"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as Corpus from "../../src/law/Corpus.ts"

const [root] = process.argv.slice(2)
if (root === undefined) {
  console.error("usage: node bench/gov/count.ts PATH")
  process.exit(2)
}

type Kind = "U.S.C." | "C.F.R." | "Federal Register" | "Acts" | "bills" | "RegML" | "Open Law" | "HTML"

/** What a file is, by a glance at its beginning. */
const kindOf = (file: string, text: string): Kind | undefined => {
  const head = text.slice(0, 3000)
  if (/\.(bak|md|json|txt)$/.test(file)) return undefined
  if (/<uscDoc\b/.test(head)) return "U.S.C."
  if (/<cfrDoc\b/.test(head)) return "C.F.R."
  if (/<frDoc\b/.test(head)) return "Federal Register"
  if (/<statuteCompilation\b/.test(head)) return "Acts"
  if (/<(bill|resolution) xmlns/.test(head)) return "bills"
  if (/<regulation xmlns="eregs"/.test(head)) return "RegML"
  if (/schemas\/(dc-)?library"/.test(head)) return "Open Law"
  return /<html/i.test(head) ? "HTML" : undefined
}

/** Start tags of `name` that stand in no element of `quotation`. */
const outside = (text: string, name: string, quotation: string): number => {
  let depth = 0
  let count = 0
  for (const [tag, end, what] of text.matchAll(new RegExp(`<(/?)(${name}|${quotation})(?=[\\s>])[^>]*>`, "g"))) {
    if (what === name) count += end === "" && depth === 0 ? 1 : 0
    else if (!tag.endsWith("/>")) depth += end === "" ? 1 : -1
  }
  return count
}

const count = (text: string, expression: RegExp): number => [...text.matchAll(expression)].length

const expected: Record<Kind, (text: string) => number> = {
  "U.S.C.": (text) => count(text, /<section\b[^>]*identifier="\/us\/usc\/t\w+\/s[^"]+"/g),
  "C.F.R.": (text) => count(text, /<section\b[^>]*identifier="\/us\/cfr\//g),
  "Federal Register": (text) => count(text, /<(rule|notice|proposedRule|presidentialDoc)\s[^>]*identifier=/g),
  Acts: (text) => outside(text, "section", "quotedContent"),
  bills: (text) => outside(text, "section", "quotedContent"),
  RegML: (text) => count(text, /<(section|appendix|interpSection)\s[^>]*label=/g),
  "Open Law": (text) =>
    outside(text, "section", "include") + outside(text, "recitals", "include") + outside(text, "attachment", "include"),
  HTML: (text) => {
    const found = new Set<string>()
    for (const part of text.split(/(?=<h[1-6][\s>])/)) {
      const [heading = "", number] = /^<h[1-6][^>]*>\s*(\d+(?:\.\d+)+)[\s\S]*?<\/h[1-6]>/.exec(part) ?? []
      const body = part.slice(heading.length).replaceAll(/<[^>]*>|&nbsp;|\s/g, "")
      if (number !== undefined && body !== "") found.add(`${number} ${body}`)
    }
    return found.size
  }
}

const filesIn = (folder: string): ReadonlyArray<string> =>
  statSync(folder).isFile()
    ? [folder]
    : readdirSync(folder, { recursive: true, encoding: "utf8" })
        .map((file) => join(folder, file))
        .filter((file) => !/(^|\/)\.[^/]/.test(file.slice(folder.length)) && statSync(file).isFile())

const cpu = (since?: NodeJS.CpuUsage): number => {
  const { system, user } = process.cpuUsage(since)
  return (system + user) / 1e6
}

/** The readers first, so that their memory is their own. */
const began = process.cpuUsage()
const kinds = new Map<string, number>()
let bytes = 0
await Corpus.files(root, {}).pipe(
  Stream.runForEach((file) =>
    file.texts.pipe(
      Stream.runForEach((text) =>
        Effect.sync(() => {
          if (text._tag !== "Section") return
          // Parts that are not sections of their own in the file: long notices in parts, preambles, titles of money.
          const part = text.identity.startsWith("us/fr/")
            ? text.identity !== text.document
            : /^us\/bill\/.*\/(preamble|t\w+)$/.test(text.identity)
          if (!part) kinds.set(file.path, (kinds.get(file.path) ?? 0) + 1)
        })
      ),
      Effect.catch(({ file: broken, line, message }) =>
        Effect.sync(() => console.error(`${broken}:${line ?? ""}: ${message}`))
      ),
      Effect.andThen(Effect.sync(() => (bytes += file.bytes)))
    )
  ),
  Effect.provide(Layer.mergeAll(NodeFileSystem.layer, NodePath.layer)),
  Effect.runPromise
)
const spent = cpu(began)
const most = process.resourceUsage().maxRSS / 1024

const sums = new Map<Kind, { expected: number; found: number; files: number }>()
const whole = statSync(root).isFile()
for (const path of filesIn(root)) {
  const text = readFileSync(path, "utf8")
  const kind = kindOf(path, text)
  if (kind === undefined) continue
  const name = whole ? path.replace(/^.*\//, "") : path.slice(root.replace(/\/+$/, "").length + 1)
  const sum = sums.get(kind) ?? { expected: 0, found: 0, files: 0 }
  const wanted = expected[kind](text)
  const found = kinds.get(name) ?? 0
  if (wanted !== found) console.log(styleText("dim", `${name}: expected ${wanted}, found ${found}`))
  sums.set(kind, { expected: sum.expected + wanted, found: sum.found + found, files: sum.files + 1 })
}

console.log("\n                     files  expected     found")
for (const [kind, sum] of sums) {
  const share = sum.expected === 0 ? 100 : (100 * sum.found) / sum.expected
  const numbers = [sum.files, sum.expected, sum.found].map((number) => number.toLocaleString("en-US").padStart(9))
  console.log(`${kind.padEnd(16)} ${numbers.join(" ")}   ${share.toFixed(1)} %`)
}
console.log(
  `\n${(bytes / 1e6).toFixed(1)} MB read in ${spent.toFixed(1)} s of CPU, at most ${most.toFixed(0)} MB of memory`
)
