/**
 * How much is read of a page that says very much: a page decides what is on it, never how long reading it takes.
 *
 * Lists have large limits, and where a page says more, the warning of its data says so. Facts of the page have smaller ones, of
 * their readers: the first tell what the page is about.
 */

/** Rows of one table or list. */
export const maxRows = 20_000

/** Values that one reader of lists offers of a page. */
export const maxValues = 200_000

export const cutWarning =
  `the page says more than is read of one page (${maxRows.toLocaleString("en")} rows of a list, ` +
  `${maxValues.toLocaleString("en")} values): the rest is not in the data`

/** How much one reader may still offer. */
export class Budget {
  private left: number
  private readonly onShort: () => void

  /** `onShort` is called when there is no place for what a page says. */
  constructor(most: number, onShort: () => void = () => {}) {
    this.left = most
    this.onShort = onShort
  }

  /** Asked by who has more to read. */
  get isFull(): boolean {
    if (this.left > 0) return false
    this.onShort()
    return true
  }

  /** Takes one place, and says whether there was one. */
  take(): boolean {
    if (this.left-- > 0) return true
    this.onShort()
    return false
  }
}
