/**
 * Pages with their true main content, from a folder: html/NAME.html.gz with ground-truth/NAME.json (as in WCXB), or with
 * one truth.json for all.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import * as Charset from "../../src/page/Charset.ts"

export interface LabelledPage {
  readonly name: string
  readonly html: string
  readonly url: string
  /** The kind of the page: one of `pageKinds`. Nothing is known of a page of news but that it is an article. */
  readonly kind: string
  readonly truth: string
}

export const labelledPages = function* (folder: string): Generator<LabelledPage> {
  const isOneFile = existsSync(join(folder, "truth.json"))
  const truths: Record<string, { url?: string; kind?: string; text: string }> = isOneFile
    ? readJson(join(folder, "truth.json"))
    : Object.fromEntries(readdirSync(join(folder, "ground-truth")).map((file) => readTruth(folder, file)))
  for (const name of Object.keys(truths).sort()) {
    const { kind = "article", text = "", url = "" } = truths[name] ?? {}
    const bytes = gunzipSync(readFileSync(join(folder, "html", `${name}.html.gz`)))
    const html = Charset.decode(bytes, undefined, "html")
    yield { name, html, url: url || (html.match(canonical)?.[1] ?? ""), kind, truth: text }
  }
}

/** What a page says its address is, where the set does not. */
const canonical = /<link rel=["']?canonical["']? href=["']([^"']+)/

const readTruth = (folder: string, file: string): readonly [string, { url?: string; kind: string; text: string }] => {
  const { _internal, ground_truth, url } = readJson(join(folder, "ground-truth", file))
  const truth = { url, kind: _internal?.page_type?.primary ?? "", text: ground_truth.main_content ?? "" }
  return [file.replace(".json", ""), truth]
}

const readJson = (path: string) => JSON.parse(readFileSync(path, "utf8"))

/**
 * What texts are compared by: words, and in scripts without spaces between words characters. A mark belongs to the letter
 * before it.
 */
export const tokensOf = (text: string): Array<string> => text.toLowerCase().match(token) ?? []

const unspaced = "\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}"
const token = new RegExp(`[${unspaced}]\\p{M}*|(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}_])+`, "gu")
const isUnspaced = new RegExp(`^[${unspaced}]`, "u")

/** The same with two neighbouring characters as one token, so that the same characters in other words do not agree. */
export const pairsOf = (text: string): Array<string> => {
  const tokens = tokensOf(text)
  return tokens.map((one, i) => {
    const next = tokens[i + 1]
    return isUnspaced.test(one) && next !== undefined && isUnspaced.test(next) ? one + next : one
  })
}

/**
 * The script of a text: of its letters that are not Latin, unless they are few, as in a page about code. Kana and Han characters
 * together are Japanese.
 */
export const scriptOf = (text: string): string => {
  const counts = scripts.map(([name, is]) => [name, text.match(is)?.length ?? 0] as const)
  const latin = text.match(/\p{sc=Latn}/gu)?.length ?? 0
  const [most] = counts.toSorted((a, b) => b[1] - a[1])
  if (most === undefined || most[1] * 3 < latin) return "Latin"
  const kana = counts.find(([name]) => name === "Kana")?.[1] ?? 0
  return most[0] === "Kana" || (most[0] === "Han" && kana * 10 > most[1]) ? "Japanese" : most[0]
}

const scripts = (
  [
    ["Han", "\\p{sc=Han}"],
    ["Kana", "[\\p{sc=Hira}\\p{sc=Kana}]"],
    ["Hangul", "\\p{sc=Hang}"],
    ["Cyrillic", "\\p{sc=Cyrl}"],
    ["Arabic", "\\p{sc=Arab}"],
    ["Devanagari", "\\p{sc=Deva}"],
    ["Thai", "\\p{sc=Thai}"],
    ["Khmer", "\\p{sc=Khmr}"],
    ["Myanmar", "\\p{sc=Mymr}"],
    ["Hebrew", "\\p{sc=Hebr}"],
    ["Greek", "\\p{sc=Grek}"]
  ] as const
).map(([name, letters]) => [name, new RegExp(letters, "gu")] as const)
