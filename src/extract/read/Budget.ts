/** How much one reader may still offer: a page decides what is on it, never how long reading it takes. */
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
