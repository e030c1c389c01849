/**
 * Collects the lines of one page of a PDF from its pieces of text as they arrive; a piece is held only until its line
 * is complete.
 *
 * A line is the text on one baseline, however it is rotated: positions are measured along the text and across it. At a
 * gap too wide for a space, and at a drawn line that crosses it, the line is divided into cells. A piece that is drawn once more in its
 * place, for letters that look bold or have a shadow, is one piece.
 */
import type { Edges } from "./PdfDrawing.ts"
import { type Gap, shadow } from "./PdfGlyphs.ts"
import type { PdfPlace } from "./PdfPlace.ts"

export interface Cell {
  readonly text: string
  /** Where it begins and ends along the line, in points. */
  readonly x: number
  readonly end: number
  /** The font of its first letters, as the file calls it. */
  readonly style?: string | undefined
  readonly place?: PdfPlace | undefined
}

export interface Line extends Cell {
  /** The size of most of its letters, in points. */
  readonly size: number
  /** The height across the line, from below. */
  readonly y: number
  /** The rotation in degrees: lines of another rotation are not its neighbours. */
  readonly turn: number
  /** At least one. Their texts are the text of the line. */
  readonly cells: ReadonlyArray<Cell>
}

interface PdfLines {
  /** Adds pieces in the order of the file. Pieces that are not text are skipped. */
  readonly add: (pieces: ReadonlyArray<unknown>) => void
  /** Whether a piece so far is written from right to left. */
  readonly isFromRight: () => boolean
  /** All lines; nothing may be added afterwards. */
  readonly end: () => ReadonlyArray<Line>
}

/** The gaps between letters on a line. */
type Gaps = (line: Pick<Line, "turn" | "y">) => ReadonlyArray<Room>

const byLine = (gaps: ReadonlyArray<Gap>): Gaps => {
  const lines = new Map<string, Array<Gap>>()
  for (const gap of gaps) {
    const key = `${gap.turn} ${Math.round(gap.y)}`
    const known = lines.get(key)
    if (known === undefined) lines.set(key, [gap])
    else known.push(gap)
  }
  return ({ turn, y }) => [-1, 0, 1].flatMap((by) => lines.get(`${turn} ${Math.round(y) + by}`) ?? [])
}

/** Where a cell of a line stands on its page. */
type Placing = (cell: Cell & Pick<Line, "size" | "turn" | "y">) => PdfPlace

/** `edges`: the drawn lines of the page, as text of a rotation sees them; `gaps`: between its letters. */
export const create = (edges: (turn: number) => Edges, gaps: ReadonlyArray<Gap> = [], placing?: Placing): PdfLines => {
  const gapsAt = byLine(gaps)
  const lines: Array<Line> = []
  const isDrawn = drawn()
  let inks: Array<PdfInk> = []
  let isApart = false
  let isFromRight = false
  const doubtful: Array<Doubtful> = []
  const flush = () => {
    const line = lineOf(inks, edges)
    if (line !== undefined) {
      const gaps = isRightToLeft(inks) ? [] : gapsAt(line)
      if (gaps.length > 0) doubtful.push({ at: lines.length, inks, gaps })
      lines.push(line)
    }
    inks = []
    isApart = false
  }
  const add = (piece: Piece) => {
    if (piece.str.trim() === "") isApart ||= piece.str !== ""
    else {
      const ink = ofPiece(piece, isApart)
      isFromRight ||= ink.isRightToLeft
      if (!isDrawn(ink)) {
        const [first] = inks
        if (first !== undefined && !isOnLineOf(ink, first)) flush()
        inks.push(ink)
        isApart = false
      }
    }
    if (piece.hasEOL) flush()
  }
  return {
    add: (pieces) => {
      for (const piece of pieces) if (isPiece(piece)) add(piece)
    },
    isFromRight: () => isFromRight,
    end: () => {
      flush()
      return divided(lines, doubtful, edges).map((line) =>
        placing === undefined
          ? line
          : { ...line, cells: line.cells.map((cell) => ({ ...cell, place: placing({ ...line, ...cell }) })) }
      )
    }
  }
}

/** A line with gaps that may be between words or between cells. */
interface Doubtful {
  /** The number of the line. */
  readonly at: number
  readonly inks: ReadonlyArray<PdfInk>
  readonly gaps: ReadonlyArray<Room>
}

type Room = Pick<Gap, "end" | "x">

/** The lines, those with doubtful gaps divided where lines near them have a gap in the same place: cells stand below each other. */
const divided = (
  lines: ReadonlyArray<Line>,
  doubtful: ReadonlyArray<Doubtful>,
  edges: (turn: number) => Edges
): ReadonlyArray<Line> => {
  const narrow = new Map(doubtful.map(({ at, gaps }) => [at, gaps]))
  const gapsOf = (at: number): ReadonlyArray<Room> => [
    ...(narrow.get(at) ?? []),
    ...(lines[at]?.cells.slice(1).map(({ x }, i) => ({ end: lines[at]?.cells[i]?.end ?? x, x })) ?? [])
  ]
  const made = [...lines]
  for (const { at, gaps, inks } of doubtful) {
    const from = Math.max(0, at - nearLines)
    const near = lines
      .slice(from, at + nearLines + 1)
      .flatMap(({ turn }, i) => (from + i !== at && turn === lines[at]?.turn ? [gapsOf(from + i)] : []))
    const isShared = (gap: Room) =>
      near.filter((others) =>
        others.some(({ end, x }) => Math.min(Math.abs(x - gap.x), Math.abs(end - gap.end)) <= below)
      ).length >= leastShared
    const cuts = gaps.filter(isShared)
    const line = cuts.length === 0 ? undefined : lineOf(inks, edges, cuts)
    if (line !== undefined) made[at] = line
  }
  return made
}

const nearLines = 6
const leastShared = 2
/** In points: so exactly do cells stand below each other. */
const below = 0.7

const isPiece = (item: unknown): item is Piece =>
  typeof item === "object" && item !== null && "str" in item && "transform" in item

/** Whether a piece has been drawn in its place already; it is drawn then. */
const drawn = () => {
  const places = new Map<string, Array<PdfInk>>()
  return (ink: PdfInk): boolean => {
    const others = places.get(ink.text)
    const isNear = (other: PdfInk) =>
      other.turn === ink.turn &&
      Math.abs(other.x - ink.x) <= ink.size * shadow &&
      Math.abs(other.y - ink.y) <= ink.size * shadow
    if (others?.some(isNear) === true) return true
    if (others === undefined) places.set(ink.text, [ink])
    else if (others.length < mostPlaces) others.push(ink)
    return false
  }
}

/** A text that stands in more places is compared with the first of them only. */
const mostPlaces = 1000

/** `cuts`: where else the line is divided. */
const lineOf = (
  inks: ReadonlyArray<PdfInk>,
  edges: (turn: number) => Edges,
  cuts: ReadonlyArray<Room> = []
): Line | undefined => {
  const [first] = inks
  if (first === undefined) return undefined
  const middle = first.y + first.size * 0.3
  const cells = cellsOf(inks, [
    ...edges(first.turn).upright.flatMap(({ at, from, to }) =>
      from <= middle && to >= middle ? [{ end: at, x: at }] : []
    ),
    ...cuts
  ])
  return {
    text: cells.map(({ text }) => text).join(" "),
    x: inks.reduce((least, { x }) => Math.min(least, x), first.x),
    end: inks.reduce((most, { end }) => Math.max(most, end), first.end),
    y: first.y,
    turn: first.turn,
    size: commonestSize(inks),
    cells
  }
}

/** Divides a line at its wide gaps, but not between a bullet or number and its text; and at the lines that cross it. */
const cellsOf = (inks: ReadonlyArray<PdfInk>, crossing: ReadonlyArray<Room>): ReadonlyArray<Cell> => {
  const groups: Array<Array<PdfInk>> = []
  let end = Number.NEGATIVE_INFINITY
  const parts = crossing.length === 0 ? inks : inks.flatMap((ink) => cutAt(ink, crossing))
  for (const ink of [...parts].sort((one, other) => one.x - other.x)) {
    const group = groups.at(-1)
    const isCut = crossing.some(({ end: from, x }) => x >= end - ink.size * 0.2 && from <= ink.x + ink.size * 0.2)
    if (group === undefined || isCut || (ink.x - end > ink.size * widest && !isMark(group))) groups.push([ink])
    else group.push(ink)
    end = Math.max(end, ink.end)
  }
  const cells = groups.map((group): Cell => {
    const x = group[0]?.x ?? 0
    const end = group.reduce((most, ink) => Math.max(most, ink.end), x)
    return { text: readingOrder(group), x, end, style: group[0]?.font }
  })
  return isRightToLeft(inks) ? cells.reverse() : cells
}

/** The parts of a piece on both sides of the lines that cross it, divided at its spaces: its letters are taken to be equally wide. */
const cutAt = (ink: PdfInk, crossing: ReadonlyArray<Room>): ReadonlyArray<PdfInk> => {
  const room = crossing.find(({ end, x }) => end > ink.x + ink.size * 0.3 && x < ink.end - ink.size * 0.3)
  if (room === undefined || ink.isRightToLeft) return [ink]
  const at = (room.end + room.x) / 2
  const letter = (ink.end - ink.x) / ink.text.length
  const spaces = [...ink.text.matchAll(/\s+/g)].map(({ 0: space, index }) => ({
    from: index,
    to: index + space.length
  }))
  const [space] = spaces
    .map((each) => ({ ...each, far: Math.abs(ink.x + ((each.from + each.to) / 2) * letter - at) }))
    .filter(({ far }) => far <= letter * 3)
    .sort((one, other) => one.far - other.far)
  if (space === undefined) return [ink]
  const [x, end] = [Math.max(room.x, ink.x + space.from * letter), Math.min(room.end, ink.x + space.to * letter)]
  const right = { ...ink, text: ink.text.slice(space.to), x: Math.max(x, end), isApart: true }
  return [{ ...ink, text: ink.text.slice(0, space.from), end: Math.min(x, end) }, ...cutAt(right, crossing)]
}

/** A wider gap, in sizes of the letters, is not a gap between words. */
const widest = 0.8

/** The bullet or the number of an item. */
const isMark = (group: ReadonlyArray<PdfInk>): boolean =>
  /^(?:[•◦▪‣●○■·–-]|\(?(?:\d{1,3}|[a-z]{1,4})[.)])$/i.test(group.map(({ text }) => text.trim()).join(""))

const commonestSize = (inks: ReadonlyArray<PdfInk>): number => {
  const letters = new Map<number, number>()
  for (const { size, text } of inks) letters.set(size, (letters.get(size) ?? 0) + text.length)
  return [...letters].reduce((best, entry) => (entry[1] > best[1] ? entry : best), [0, 0])[0]
}

/**
 * The text of a line in reading order.
 *
 * A PDF draws letters at positions without stating their order. Many programs draw Arabic and Hebrew from the left, one
 * letter at a time, each in its contextual form.
 *
 * `inks` are ordered from left to right.
 */
const readingOrder = (inks: ReadonlyArray<PdfInk>): string => {
  const ordered = inOrder(inks)
  let text = ""
  let before: PdfInk | undefined
  for (const ink of ordered) {
    if (before !== undefined && isWordBreak(before, ink)) text += " "
    text += ink.text
    before = ink
  }
  return text
    .replaceAll(presentationForms, (form) => form.normalize("NFKC"))
    .replaceAll(/\s+/g, " ")
    .trim()
}

/** Arabic letters in their contextual forms, and their ligatures; punctuation in its vertical forms. */
const presentationForms = /[\ufb50-\ufdff\ufe10-\ufe19\ufe30-\ufe48\ufe70-\ufefc]+/g

/** Pieces that run against the direction of the line keep their own order. */
const inOrder = (inks: ReadonlyArray<PdfInk>): ReadonlyArray<PdfInk> => {
  if (!inks.some((ink) => ink.isRightToLeft)) return inks
  const isReversed = isRightToLeft(inks)
  const runs: Array<Array<PdfInk>> = []
  for (const ink of isReversed ? [...inks].reverse() : inks) {
    const run = runs.at(-1)
    if (run !== undefined && run[0]?.isRightToLeft === ink.isRightToLeft) run.push(ink)
    else runs.push([ink])
  }
  return runs.flatMap((run) => (run[0]?.isRightToLeft === isReversed ? run : run.reverse()))
}

const isWordBreak = (before: PdfInk, ink: PdfInk): boolean => {
  const [left, right] = before.x <= ink.x ? [before, ink] : [ink, before]
  const isWritten = right.isApart && !left.isRightToLeft && !right.isRightToLeft
  return isWritten || right.x - left.end > right.size * 0.15
}

/**
 * A visible piece of text of a PDF and its position, measured along its line and across it, so that rotated lines are
 * handled alike.
 */
interface PdfInk {
  readonly text: string
  /** Where it begins and ends along its line, in points. */
  readonly x: number
  readonly end: number
  /** The height across the line, from below. */
  readonly y: number
  /** The size of its letters, in half points. */
  readonly size: number
  /** The rotation of its line, in degrees. */
  readonly turn: number
  readonly isRightToLeft: boolean
  readonly font: string | undefined
  /** Whether a space precedes it. */
  readonly isApart: boolean
}

/** A piece of text as the library gives it. */
interface Piece {
  readonly str: string
  readonly dir: string
  readonly width: number
  readonly height: number
  readonly transform: ReadonlyArray<number>
  readonly hasEOL: boolean
  readonly fontName?: string
}

const ofPiece = (piece: Piece, isApart: boolean): PdfInk => {
  const { dir, height, str, transform, width } = piece
  const [a = 0, b = 0, c = 0, d = 0, left = 0, up = 0] = transform
  const size = Math.round(Math.hypot(c, d) * 2) / 2
  // Vertical Chinese and Japanese, in columns from the right: the line is rotated, its letters are not.
  const isDownward = height > size * 1.5 && str.trim().length > 1
  const length = Math.hypot(a, b)
  const [cos, sin] = isDownward ? [0, -1] : length === 0 ? [1, 0] : [a / length, b / length]
  const x = left * cos + up * sin
  return {
    text: str,
    x,
    end: x + (isDownward ? height : width),
    y: up * cos - left * sin,
    size,
    turn: Math.round((Math.atan2(sin, cos) * 180) / Math.PI),
    isRightToLeft: dir === "rtl",
    font: piece.fontName,
    isApart: isApart || /^\s/.test(str)
  }
}

/** Whether it is on the line that `first` has begun. */
const isOnLineOf = (ink: PdfInk, first: PdfInk): boolean =>
  ink.turn === first.turn && Math.abs(ink.y - first.y) <= first.size * 0.6

/** Whether most letters of a line are written from right to left. */
const isRightToLeft = (inks: ReadonlyArray<PdfInk>): boolean => {
  let letters = 0
  for (const ink of inks) {
    if (ink.isRightToLeft) letters += ink.text.length
    else if (/\p{L}/u.test(ink.text)) letters -= ink.text.length
  }
  return letters > 0
}
