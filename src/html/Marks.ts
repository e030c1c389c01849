/**
 * What is never text of a page, also inside a line: links to skip to the content or to edit a section, words for screen
 * readers alone, share buttons, numbers of lines of code. Their classes and ids say so on every site.
 */
export const isMark = (attributes: { get(name: string): string | undefined }): boolean => {
  const classes = attributes.get("class")
  if (classes !== undefined && classes.length <= maxNames && named(classes)) return true
  const id = attributes.get("id")
  return id !== undefined && id.length <= maxNames && named(id)
}

const named = (names: string): boolean => hint.test(names) && names.split(/\s+/).some((name) => marks.test(name))

const maxNames = 300

/** Most names have none of these, and need no splitting. */
const hint = /skip|sr-only|hidden|reader|share|edit|gutter|line|sharing/i

const marks = new RegExp(
  `^(?:${[
    "skip(?:[-_]?(?:link|nav|links|to-content|content))?|sr-only|visually-?hidden|screen-reader-(?:text|shortcut)",
    "share(?:[-_]?(?:bar|buttons?|links?|this|tools|icons?))?|edit-?(?:page|link|this-page)|mw-editsection",
    "gutter|lineno|linenos|line-?numbers?|rouge-gutter"
  ].join("|")})$`,
  "i"
)
