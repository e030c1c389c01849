/**
 * The places of the texts of a PDF in its HTML: each element with a text of it has its page and its box, in points from the upper left
 * corner. Whoever finds a value in the HTML can say where it stands in the file.
 *
 * @see RFC 8118, 3: fragment identifiers of PDFs
 */
const mark = ' data-pdf="'

interface Box {
  readonly page: number
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** The attribute of an element. */
export const attributeOf = ({ bottom, left, page, right, top }: Box): string =>
  `${mark}${[page, left, top, right - left, bottom - top].map(Math.round).join(" ")}"`

/** What a caller should know of a PDF that has text, and nothing of what a schema asks for. */
export const nothingInPdf = "nothing that the schema asks for was found in the text of the PDF"

/** Whether this is the HTML of a PDF. */
export const isOfPdf = (html: string): boolean => html.includes(mark)

/** The place of a part of the HTML, as a fragment of the address of the PDF: "#page=2&viewrect=72,130,210,12". */
export const fragmentOf = (html: string, [from, to]: readonly [number, number]): string | undefined => {
  const own = html[from] === "<" ? html.indexOf(mark, from) : -1
  const at = own !== -1 && own < to ? own : html.lastIndexOf(mark, from)
  const [, page, box] = /^(\d+) (-?\d+ -?\d+ \d+ \d+)"/.exec(html.slice(at + mark.length, at + mark.length + 60)) ?? []
  return at === -1 || box === undefined ? undefined : `#page=${page}&viewrect=${box.replaceAll(" ", ",")}`
}
