/**
 * The attributes of the tag being read.
 *
 * One object serves a whole page: what it says holds until the next tag is read, so whoever needs a value later keeps
 * the value. References are decoded when a value is asked for, because most values never are.
 */
import { decodeHTMLAttribute } from "entities/decode"

export class Attributes {
  private readonly names: Array<string> = []
  private readonly values: Array<string> = []
  length = 0
  /** True where the tag ends in "/>". */
  selfClosing = false

  clear(): void {
    this.length = 0
    this.selfClosing = false
  }

  /** Keeps an attribute as written. The first of one name wins, as in browsers. */
  add(name: string, value: string): void {
    for (let i = 0; i < this.length; i++) if (this.names[i] === name) return
    if (this.length === limit) return
    this.names[this.length] = name
    this.values[this.length++] = value
  }

  /** The value of an attribute; undefined where it is not there, empty where it has none. */
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

/** A tag with more attributes than this is an attack: without a limit the search for doubles is quadratic. */
const limit = 64

const decode = (value: string): string => (value.includes("&") ? decodeHTMLAttribute(value) : value)
