/**
 * Writes the site: a page of HTML for each page of Markdown that a reader is led to, the first page, the search with its index, the
 * pictures, and the files that pages link to.
 */
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { rolldown } from "rolldown"
import { highlighter } from "./highlighter.ts"
import { searchIndex } from "./searchIndex.ts"
import { anchorOf, framed, type Site, type Source, sitePage, toHtml } from "./sitePage.ts"
import { style } from "./style.ts"

/** Empties `folder` first. */
export const writeSite = async (root: string, folder: string): Promise<{ readonly pages: number }> => {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const sources = await Promise.all(
    (await namesOf(root)).map(
      async (name): Promise<Source> => ({ name, text: await readFile(join(root, name), "utf8") })
    )
  )
  const site = { sources, highlight: await highlighter(), others: new Set<string>() }
  const sourceOf = (name: string): Source => {
    const source = sources.find((one) => one.name === name)
    if (source === undefined) throw new Error(`${name} is not there, and the first page of the site shows it`)
    return source
  }
  for (const source of sources) await put(join(folder, addressOf(source.name)), sitePage(source, site))
  await put(join(folder, "index.html"), landingPage(sourceOf("README.md"), sourceOf("docs/three-ways.md"), site))
  await put(join(folder, "style.css"), style)
  await put(join(folder, "site.js"), await scriptOf("site"))
  const index = searchIndex(
    sources.map(({ name, text }) => ({ address: addressOf(name), text })),
    anchorOf
  )
  await put(join(folder, "search.js"), `globalThis.docsIndex=${index};\n${await scriptOf("search")}`)
  for (const other of site.others) await cp(join(root, other), join(folder, other), { recursive: true })
  return { pages: sources.length }
}

/** A script of the site as one file. It is no module: a browser loads modules of a server only, and a site may be a folder. */
const scriptOf = async (name: "search" | "site"): Promise<string> => {
  const bundle = await rolldown({
    input: join(import.meta.dirname, "browser", `${name}.ts`),
    platform: "browser",
    logLevel: "warn"
  })
  const { output } = await bundle.generate({ format: "iife", minify: true, comments: false })
  await bundle.close()
  return output[0].code
}

/** Where a page of Markdown is on the site: the README of a folder is its index. */
export const addressOf = (name: string): string =>
  name.replace(/(^|\/)README\.md$/, "$1index.md").replace(/\.md$/, ".html")

const namesOf = async (root: string): Promise<ReadonlyArray<string>> => {
  const below = async (folder: string) =>
    (await readdir(join(root, folder), { recursive: true })).map((name) => join(folder, name))
  const examples = (await below("examples")).filter((name) => /^examples\/[^/]+\/README\.md$/.test(name))
  const docs = (await below("docs")).filter((name) => name.endsWith(".md"))
  return [
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SECURITY.md",
    "AGENTS.md",
    "bench/README.md",
    ...docs.sort(),
    ...examples.sort()
  ]
}

const put = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

/**
 * @param readme - Its text before the first heading of the second rank, the promises, and its last section, the places to go, are
 *   taken.
 * @param ways - A page whose sections are the ways to write one pipeline.
 */
const landingPage = (readme: Source, ways: Source, site: Site): string => {
  const [intro = "", ...sections] = readme.text.split(/^(?=## )/m)
  const [lead = "", ...rest] = intro.replace(/^# .*\n+/, "").split(/\n\n+/)
  const promises = rest.filter((block) => block.startsWith("- "))
  const part = (text: string, source = readme) => toHtml({ name: source.name, text }, site)
  return framed("README.md", site, {
    title: "Millrace",
    kind: "landing",
    main: `<section class="hero">
<h1>From the web to the warehouse</h1>
${part(lead)}
<p class="actions"><a class="button" href="docs/tutorials/first-pipeline.html">Your first pipeline</a> <a href="docs/index.html">Documentation</a></p>
</section>
${rest
  .filter((block) => block.startsWith("<picture>") || block.startsWith("!["))
  .slice(0, 1)
  .map((block) => part(block))
  .join("")}
${tabs(ways, site)}
${promises.map((block) => part(block)).join("")}
${sections.map((section) => part(section)).join("")}`
  })
}

/** The sections of a page, of which one is shown. They are chosen by radio buttons, which need no script. */
const tabs = (source: Source, site: Site): string => {
  const [, ...sections] = source.text.split(/^(?=## )/m)
  const ways = sections.map((section) => ({
    name: /^## (.*)$/m.exec(section)?.[1] ?? "",
    html: toHtml({ name: source.name, text: section.replace(/^## .*\n/, "") }, site).replaceAll(
      /(href|src)="(?!https?:|#)/g,
      '$1="docs/'
    )
  }))
  const choice = ({ name }: { readonly name: string }, place: number) =>
    `<input type="radio" name="way" id="way-${place}"${place === 0 ? " checked" : ""}><label for="way-${place}">${name}</label>`
  return `<fieldset class="ways"><legend>One pipeline, three ways</legend>
${ways.map(choice).join("\n")}
${ways.map(({ html }, place) => `<div class="way way-${place}">${html}</div>`).join("\n")}
</fieldset>`
}
