/**
 * The kinds of HTML elements, as flags: one lookup for each tag.
 *
 * Elements that are not listed have no flags: they do not end a line, and their text is text of the page.
 */

/** A block element: it begins and ends on its own line. */
export const BLOCK = 1
/** A void element: it has no content and no end tag. */
export const VOID = 2
/** Its content is not text of the page. */
export const UNSEEN = 4
/** Its start tag ends an open paragraph. */
export const ENDS_P = 8
/** An end tag inside this element does not close an element outside of it. */
export const WALL = 16
/** Formats text. If it is closed before the elements in it, these stay open. */
export const MARK = 32
export const HEADING = 64
/** A part of a table: its end tag also closes the cells that are open in it. */
export const TABLE = 128
/** Allowed in the head of a page: its start tag does not end the head. */
export const HEAD = 256

export interface Kind {
  readonly name: string
  readonly flags: number
}

export const kindOf = (name: string): Kind => kinds.get(name) ?? { name, flags: 0 }

const list: ReadonlyArray<readonly [flags: number, names: string]> = [
  [
    BLOCK | ENDS_P,
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer"
  ],
  [BLOCK | ENDS_P, "form header hgroup main menu nav ol p search section summary ul pre listing xmp"],
  [BLOCK | ENDS_P | HEADING, "h1 h2 h3 h4 h5 h6"],
  [BLOCK | ENDS_P, "dd dt li"],
  [BLOCK | ENDS_P | VOID, "hr"],
  [BLOCK | ENDS_P | WALL | TABLE, "table"],
  [BLOCK | WALL | TABLE, "caption td th"],
  [BLOCK | TABLE, "colgroup tbody tfoot thead tr"],
  [BLOCK, "body html legend optgroup option"],
  [VOID, "area br col embed frame img input keygen param source track wbr"],
  [VOID | HEAD, "base basefont bgsound link meta"],
  [UNSEEN | HEAD, "noscript script style template title"],
  [
    UNSEEN,
    "applet audio canvas datalist iframe meter noembed noframes object plaintext progress select svg textarea video"
  ],
  [UNSEEN, "button"],
  [MARK, "a b big code em font i nobr s small strike strong tt u"],
  [MARK, "abbr cite del dfn ins kbd mark q samp span sub sup var"],
  [0, "head math picture map label"]
]

const kinds = new Map<string, Kind>(
  list.flatMap(([flags, names]) => names.split(" ").map((name) => [name, { name, flags }] as const))
)
