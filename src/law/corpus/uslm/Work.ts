/**
 * The one way through a USLM file whose law stands in sections: its head, its levels, its sections.
 */
import type { FileContext, Opened, Reader } from "../Reader.ts"
import { step } from "../written.ts"
import type { Element } from "../Xml.ts"
import { type Level, Levels, names } from "./Levels.ts"

/** What is made of it. A kind of file says what its sections are. */
export interface Work {
  /** `meta` or `preface`, as they come. */
  readonly head: (element: Element) => void
  readonly section: (element: Element, levels: Levels, within: ReadonlyArray<Opened>) => void
  /** Other elements that hold text beside sections, and what to do with them. */
  readonly parts?: ReadonlySet<string>
  readonly part?: (element: Element, levels: Levels) => void
  /**
   * Elements beside the law of a whole level, as the authority of a part. They come with the first section behind them, as
   * children of it.
   */
  readonly beside?: ReadonlySet<string>
  /** A level ends; `levels` are those around it. */
  readonly leave?: (level: Level, levels: Levels) => void
  readonly end?: () => void
}

export const readerOf = (place: FileContext, work: Work): Reader => {
  const levels = new Levels()
  let waiting: Array<Element> = []
  return {
    open: (element, within) => {
      const { name } = element
      if (within.length === 0) return "walk"
      if (name === "meta" || name === "preface") return within.length === 1 ? "take" : "skip"
      if (name === "section" || name === "num" || name === "heading") return "take"
      if (work.parts?.has(name) === true || work.beside?.has(name) === true) return "take"
      if (names.has(name)) {
        levels.push(element)
        return "walk"
      }
      // A section that editors have put into brackets.
      return name === "editorialNote" && within.at(-1)?.name === "main" ? "walk" : "skip"
    },
    took: (element, within) => {
      if (element.name === "meta" || element.name === "preface") work.head(element)
      else if (element.name === "section") {
        const children = waiting.length === 0 ? element.children : [...element.children, ...waiting]
        waiting = []
        levels.fill()
        work.section({ ...element, children }, levels, within)
      } else if (work.beside?.has(element.name) === true) waiting.push(element)
      else if (work.parts?.has(element.name) === true) {
        levels.fill()
        work.part?.(element, levels)
      } else levels.took(element)
    },
    close: ({ name }) => {
      if (!names.has(name)) return
      const level = levels.pop()
      if (level === undefined) return
      work.leave?.(level, levels)
      if (level.isFull || level.number + level.heading === "") return
      const why = `a level without sections: ${step(level.kind, level.number, level.heading)}`
      place.say({ _tag: "Skipped", file: place.file, line: level.line, why })
    },
    end: () => work.end?.()
  }
}
