/** A rule that the contract's schemas do not say, as people ask for it and as it is answered. */
export interface RuleTopic {
  readonly title: string
  /** What people ask, in the words that they ask it with. */
  readonly asks: string
  readonly text: string
}
