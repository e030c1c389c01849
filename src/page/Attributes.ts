/**
 * The attributes of the tag that is being read.
 *
 * All tags of a page share one object, so its contents are valid only until the next tag: keep values, not the object.
 * Character references are decoded when a value is read, because most values never are.
 */
import { decodeHTMLAttribute } from "entities/decode"

export class Attributes {
  private readonly names: Array<string> = []
  private readonly values: Array<string> = []
  length = 0
  /** Whether the tag ends in "/>". */
  selfClosing = false

  clear(): void {
    this.length = 0
    this.selfClosing = false
  }

  /** Whether the tag has so many attributes that no further one is added. */
  get full(): boolean {
    return this.length === limit
  }

  /** Adds an attribute as written. If a name is repeated, the first one counts, as in browsers. */
  add(name: string, value: string): void {
    if (this.full) return
    for (let i = 0; i < this.length; i++) if (this.names[i] === name) return
    this.names[this.length] = name
    this.values[this.length++] = value
  }

  /** The value of an attribute; empty: it has no value; undefined: the tag does not have it. */
  get(name: string): string | undefined {
    for (let i = 0; i < this.length; i++) if (this.names[i] === name) return decode(this.values[i] ?? "")
    return undefined
  }

  has(name: string): boolean {
    for (let i = 0; i < this.length; i++) if (this.names[i] === name) return true
    return false
  }

  nameAt(index: number): string {
    return this.names[index] ?? ""
  }

  valueAt(index: number): string {
    return decode(this.values[index] ?? "")
  }
}

/** A tag with more attributes is an attack: without a limit, the search for repeated names takes quadratic time. */
const limit = 64

const decode = (value: string): string => (value.includes("&") ? decodeHTMLAttribute(value) : value)
