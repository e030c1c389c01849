/** The comment above a declaration, as its text and its tags. */

export interface DocComment {
  /** The text before the first tag; empty without a comment. */
  readonly text: string
  readonly examples: ReadonlyArray<string>
  /** Where a rule comes from: an address, or the name of a standard. */
  readonly sees: ReadonlyArray<string>
  /** Of no use outside this repository: neither the reference nor the declarations of the package have it. */
  readonly internal: boolean
}

/** `above` is the source between the declaration and what stands before it. */
export const docComment = (above: string): DocComment => {
  const [, inside = ""] = Array.from(above.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\//g)).at(-1) ?? []
  const lines = inside
    .replaceAll(/^[ \t]*\* ?/gm, "")
    .trim()
    .split("\n")
  const starts = lines.flatMap((line, index) => (/^@[a-z]/.test(line) ? [index] : []))
  const tags = starts.map((start, index) =>
    lines
      .slice(start, starts[index + 1])
      .join("\n")
      .trim()
  )
  const of = (tag: string) =>
    tags.flatMap((text) => (text.startsWith(`@${tag}`) ? [text.slice(tag.length + 1).trim()] : []))
  const strange = tags.filter((text) => !/^@(?:example|see|internal)\b/.test(text))
  if (strange.length > 0) throw new Error(`the reference does not know the tag of ${strange.join(", ")}`)
  return {
    text: lines.slice(0, starts[0]).join("\n").trim(),
    examples: of("example"),
    sees: of("see"),
    internal: of("internal").length > 0
  }
}
