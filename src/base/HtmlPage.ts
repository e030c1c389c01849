/**
 * The frame of every HTML page that Millrace makes, and how a text stands in one.
 *
 *     HtmlPage.page({ title: "Orders", body: `<p>${HtmlPage.escape("a < b")}</p>` })
 *
 * Guarantee: a text that goes through `escape` is content, whatever it says, between tags and between quotes.
 */
interface Page {
  readonly title: string
  /** What stands in the body, as HTML. */
  readonly body: string
  readonly style?: string
  /** More of the head, as HTML. */
  readonly head?: string
  /** The content security policy, for a page that comes from no server of ours. */
  readonly policy?: string
}

export const page = (parts: Page): string => `${begin(parts)}${parts.body}\n${end}`

/** The page up to its body. */
export const begin = ({ head = "", policy, style, title }: Omit<Page, "body">): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${policy === undefined ? "" : `<meta http-equiv="Content-Security-Policy" content="${policy}">\n`}<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
${style === undefined ? "" : `<style>${style}</style>\n`}${head}</head>
<body>
`

export const end = "</body>\n</html>\n"

/** Nothing tells another site that this page led to it. */
export const noReferrer = '<meta name="referrer" content="no-referrer">\n'

/** A text as a page shows it, between tags or quotes. What no document may hold is shown as U+FFFD. */
export const escape = (text: string): string =>
  escapeText(text.toWellFormed().replace(/[^\P{Cc}\t\n\r]/gu, "\uFFFD"))
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")

/** A text between tags, with every character as it is: for HTML that is read again. */
export const escapeText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
