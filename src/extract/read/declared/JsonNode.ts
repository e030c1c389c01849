/**
 * A value of JSON, with where it stands: from its first character to behind its last, counted from the start of the page.
 */
export type Node = ObjectNode | ListNode | PlainNode

interface Placed {
  readonly from: number
  readonly to: number
}

export interface ObjectNode extends Placed {
  readonly _tag: "Object"
  readonly entries: ReadonlyArray<readonly [name: string, value: Node]>
}

export interface ListNode extends Placed {
  readonly _tag: "List"
  readonly items: ReadonlyArray<Node>
}

export interface PlainNode extends Placed {
  readonly _tag: "Plain"
  readonly data: string | number | boolean | null
}
