/**
 * Parquet's hybrid encoding of levels and dictionary indexes: a run of equal numbers as the number and its count, other
 * numbers packed as bits, eight at a time. (parquet-format, Encodings.md, RLE)
 */

/** At least this many equal numbers make a run; fewer take less space when they are packed. */
const runFrom = 8

/** The bits for numbers from 0 to `numbers` - 1: at least one, because some readers need one. */
export const widthFor = (numbers: number): number => Math.max(1, 32 - Math.clz32(numbers - 1))

export const encode = (values: Uint8Array | Uint32Array, count: number, width: number): Uint8Array => {
  // A run of at least eight numbers takes at most nine bytes; eight packed numbers take `width` bytes.
  const out = new Uint8Array(16 + Math.ceil(count / 8) * (width + 9))
  const valueBytes = (width + 7) >> 3
  let at = 0
  const header = (value: number) => {
    let rest = value
    for (; rest > 127; rest >>>= 7) out[at++] = (rest & 127) | 128
    out[at++] = rest
  }
  for (let from = 0; from < count; ) {
    const run = runAt(values, from, count, count)
    if (run >= runFrom || from + run === count) {
      header(run << 1)
      let value = values[from] ?? 0
      for (let n = 0; n < valueBytes; n++, value >>>= 8) out[at++] = value & 255
      from += run
      continue
    }
    let to = from
    do to += 8
    while (to < count && runAt(values, to, count, runFrom) < runFrom)
    header((((to - from) >> 3) << 1) | 1)
    let bits = 0
    let pendingBits = 0
    for (let n = from; n < to; n++) {
      pendingBits |= (n < count ? (values[n] ?? 0) : 0) << bits
      for (bits += width; bits >= 8; bits -= 8, pendingBits >>>= 8) out[at++] = pendingBits & 255
    }
    from = Math.min(to, count)
  }
  return out.subarray(0, at)
}

/** How many numbers from position `from` on are equal, up to a limit. */
const runAt = (values: Uint8Array | Uint32Array, from: number, count: number, most: number): number => {
  const value = values[from]
  const to = Math.min(count, from + most)
  let at = from + 1
  while (at < to && values[at] === value) at++
  return at - from
}

/** Decodes the first `into.length` numbers of bytes that `encode` made. */
export const decode = <Numbers extends Uint8Array | Uint32Array>(
  bytes: Uint8Array,
  width: number,
  into: Numbers
): Numbers => {
  const mask = 2 ** width - 1
  let at = 0
  for (let filled = 0; filled < into.length; ) {
    let header = 0
    for (let shift = 0, byte = 128; byte > 127; shift += 7) {
      byte = bytes[at++] ?? 0
      header |= (byte & 127) << shift
    }
    if (at > bytes.length) throw new Error("the levels of a page end too early")
    if ((header & 1) === 0) {
      let value = 0
      for (let shift = 0; shift < width; shift += 8) value |= (bytes[at++] ?? 0) << shift
      const to = Math.min(into.length, filled + (header >>> 1))
      into.fill(value, filled, to)
      filled = to
      continue
    }
    const packed = (header >>> 1) * 8
    let bits = 0
    let pendingBits = 0
    for (let n = 0; n < packed; n++) {
      for (; bits < width; bits += 8) pendingBits |= (bytes[at++] ?? 0) << bits
      if (filled < into.length) into[filled++] = pendingBits & mask
      pendingBits >>>= width
      bits -= width
    }
  }
  return into
}
