/**
 * The peers of the article bench, each the way its documentation says for Node, from HTML text to result: Readability
 * over jsdom (the only library its page names), Defuddle over linkedom (the first that its page names).
 *
 * They are installed by `npm ci` in this folder, and nothing else of the project needs them.
 */
export type Found = {
  readonly title: string
  readonly author: string
  readonly date: string
} & ({ readonly text: string } | { readonly html: string })

export type Extractor = (html: string, url: string) => Promise<Found>

export const readability = async (): Promise<Extractor> => {
  const [{ Readability }, { JSDOM, VirtualConsole }] = await Promise.all([load("@mozilla/readability"), load("jsdom")])
  return async (html, url) => {
    // Without a listener: what jsdom says about style sheets that it cannot read is not printed.
    const dom = new JSDOM(html, { url, virtualConsole: new VirtualConsole() })
    const article = new Readability(dom.window.document).parse()
    dom.window.close()
    return {
      title: article?.title ?? "",
      author: article?.byline ?? "",
      date: article?.publishedTime ?? "",
      html: article?.content ?? ""
    }
  }
}

export const defuddle = async (): Promise<Extractor> => {
  const [{ Defuddle }, { parseHTML }] = await Promise.all([load("defuddle/node"), load("linkedom")])
  return async (html, url) => {
    const { document } = parseHTML(html)
    // No network: a page that holds nothing is not asked for elsewhere.
    const article = await Defuddle(document, url, { useAsync: false })
    return {
      title: article.title ?? "",
      author: article.author ?? "",
      date: article.published ?? "",
      html: article.content ?? ""
    }
  }
}

/** The name is not written in the import, so that types are checked without the peers. */
const load = async (name: string): Promise<any> => {
  try {
    return await import(name)
  } catch (cause) {
    throw new Error(`${name} is not there: run "npm ci" in bench/`, { cause })
  }
}
