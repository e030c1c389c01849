/** The pages of the article bench, and what is true of them. Both sets are in the order of their names. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import * as Dom from "../src/page/Dom.ts"

export interface ArticlePage {
  readonly name: string
  readonly html: string
  readonly url: string
  readonly text: string
  /** What the set says about the page; undefined where it says nothing. */
  readonly title?: string | undefined
  readonly author?: string | undefined
  readonly date?: string | undefined
}

export interface ArticleSet {
  readonly name: string
  readonly pages: ReadonlyArray<ArticlePage>
}

export const articleSets = (folder: string, half: "even" | "odd" | "all"): ReadonlyArray<ArticleSet> => {
  const isIn = (_: unknown, index: number) => half === "all" || (index % 2 === 0) === (half === "even")
  return [readabilityPages(folder, isIn), extractionPages(folder, isIn)]
}

type IsIn = (value: unknown, index: number) => boolean

const readabilityPages = (folder: string, isIn: IsIn): ArticleSet => {
  const root = join(folder, "readability-test-pages/test/test-pages")
  const pages = readdirSync(root)
    .filter((name) => existsSync(join(root, name, "source.html")))
    .sort()
    .filter(isIn)
    .map((name): ArticlePage => {
      const read = (file: string) => readFileSync(join(root, name, file), "utf8")
      const metadata = JSON.parse(read("expected-metadata.json"))
      return {
        name,
        html: read("source.html"),
        // The address the set's own tests give to every page.
        url: "http://fakehost/test/page.html",
        text: plainText(read("expected.html")),
        title: metadata.title || undefined,
        author: metadata.byline || undefined,
        date: metadata.publishedTime || undefined
      }
    })
  return { name: "readability-test-pages", pages }
}

const extractionPages = (folder: string, isIn: IsIn): ArticleSet => {
  const root = join(folder, "article-extraction-benchmark")
  const truth = JSON.parse(readFileSync(join(root, "ground-truth.json"), "utf8"))
  const pages = Object.keys(truth)
    .sort()
    .filter(isIn)
    .map(
      (name): ArticlePage => ({
        name,
        html: gunzipSync(readFileSync(join(root, "html", `${name}.html.gz`))).toString("utf8"),
        url: truth[name].url,
        text: truth[name].articleBody
      })
    )
  return { name: "article-extraction-benchmark", pages }
}

/** All text of clean HTML, with blocks apart: what the truth of the first set and both peers' HTML are read with. */
export const plainText = (html: string): string => {
  const parts: Array<string> = []
  const visit = (element: Dom.Element): void => {
    const isApart = !inline.has(element.name)
    if (isApart) parts.push("\n")
    for (const child of element.children) {
      if (child._tag === "Text") parts.push(child.text)
      else if (!silent.has(child.name)) visit(child)
    }
    if (isApart) parts.push("\n")
  }
  visit(Dom.parse(html))
  return parts.join("")
}

const silent = new Set(["script", "style", "template"])
const inline = new Set(
  "a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q s samp small span strike strong sub sup time tt u var wbr".split(
    " "
  )
)
