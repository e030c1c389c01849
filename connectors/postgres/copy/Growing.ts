/** A growing buffer of bytes, with numbers in network order. */

export interface Growing {
  /** The position of the next byte. */
  at: number
  readonly int16: (value: number) => void
  readonly int32: (value: number) => void
  readonly int64: (value: bigint) => void
  readonly double: (value: number) => void
  readonly byte: (value: number) => void
  readonly text: (value: string) => void
  readonly bytesOf: (value: Uint8Array) => void
  /** Overwrites a number at a position. */
  readonly int32At: (at: number, value: number) => void
  /** A copy of the written bytes, because the driver sends them while more bytes are written. */
  readonly taken: () => Uint8Array
}

export const empty = (): Growing => {
  let bytes = Buffer.allocUnsafe(firstBytes)
  const ensure = (more: number): void => {
    if (growing.at + more <= bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(bytes.length * 2, growing.at + more))
    bytes.copy(larger, 0, 0, growing.at)
    bytes = larger
  }
  const growing: Growing = {
    at: 0,
    int16: (value) => {
      ensure(2)
      growing.at = bytes.writeInt16BE(value, growing.at)
    },
    int32: (value) => {
      ensure(4)
      growing.at = bytes.writeInt32BE(value, growing.at)
    },
    int64: (value) => {
      ensure(8)
      growing.at = bytes.writeBigInt64BE(value, growing.at)
    },
    double: (value) => {
      ensure(8)
      growing.at = bytes.writeDoubleBE(value, growing.at)
    },
    byte: (value) => {
      ensure(1)
      bytes[growing.at++] = value
    },
    text: (value) => {
      // A unit of UTF-16 needs at most three bytes.
      ensure(value.length * 3)
      growing.at += bytes.write(value, growing.at, "utf8")
    },
    bytesOf: (value) => {
      ensure(value.length)
      bytes.set(value, growing.at)
      growing.at += value.length
    },
    int32At: (at, value) => void bytes.writeInt32BE(value, at),
    taken: () => {
      const taken = bytes.subarray(0, growing.at)
      bytes = Buffer.allocUnsafe(Math.max(firstBytes, Math.min(growing.at, mostKept)))
      return taken
    }
  }
  return growing
}

const firstBytes = 65_536
const mostKept = 16_000_000
