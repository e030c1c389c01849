/** The first page of the site: what Millrace is, how it looks, one pipeline in three ways, and what the README says beside that. */
import { framed, type Site, type Source, toHtml } from "./sitePage.ts"

/**
 * @param readme - Its text before the first heading of the second rank, the promises, and its last section, the places to go, are
 *   taken.
 * @param ways - A page whose sections are the ways to write one pipeline.
 */
export const landingPage = (readme: Source, ways: Source, site: Site): string => {
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
