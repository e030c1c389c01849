/** How much one reader may still offer: a page decides what is on it, never how long reading it takes. */
export class Budget {
  private left: number

  constructor(most: number) {
    this.left = most
  }

  get isFull(): boolean {
    return this.left <= 0
  }

  /** Takes one place, and says whether there was one. */
  take(): boolean {
    return this.left-- > 0
  }
}
