/**
 * Snappy, the raw format: a length, then literals and copies of earlier bytes, in blocks of 64 KB.
 * (google/snappy, format_description.txt)
 */

const blockBytes = 65_536
const hashBits = 14

export const compress = (input: Uint8Array): Uint8Array => {
  const out = new Uint8Array(32 + input.length + Math.ceil(input.length / 6))
  let at = 0
  let length = input.length
  for (; length > 127; length = Math.floor(length / 128)) out[at++] = (length & 127) | 128
  out[at++] = length
  const table = new Uint16Array(1 << hashBits)
  for (let from = 0; from < input.length; from += blockBytes) {
    at = compressBlock(input, from, Math.min(from + blockBytes, input.length), table.fill(0), out, at)
  }
  return out.subarray(0, at)
}

/** The table has the last position in the block of four bytes with each hash. */
const compressBlock = (
  input: Uint8Array,
  from: number,
  to: number,
  table: Uint16Array,
  out: Uint8Array,
  start: number
): number => {
  let at = start
  let pending = from
  for (let here = from + 1, misses = 32; here + 4 <= to; ) {
    const word = wordAt(input, here)
    const slot = Math.imul(word, 0x1e35a7bd) >>> (32 - hashBits)
    const there = from + (table[slot] ?? 0)
    table[slot] = here - from
    if (there >= here || wordAt(input, there) !== word) {
      here += misses++ >> 5
      continue
    }
    let end = here + 4
    for (let back = there + 4; end < to && input[end] === input[back]; back++) end++
    at = literal(input, pending, here, out, at)
    at = copy(here - there, end - here, out, at)
    pending = here = end
    misses = 32
  }
  return literal(input, pending, to, out, at)
}

const wordAt = (bytes: Uint8Array, at: number): number =>
  (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24)

const literal = (input: Uint8Array, from: number, to: number, out: Uint8Array, start: number): number => {
  const last = to - from - 1
  if (last < 0) return start
  let at = start
  if (last < 60) out[at++] = last << 2
  else {
    const bytes = last < 256 ? 1 : 2
    out[at++] = (59 + bytes) << 2
    out[at++] = last & 255
    if (bytes === 2) out[at++] = last >> 8
  }
  out.set(input.subarray(from, to), at)
  return at + last + 1
}

/** Writes a copy in parts of 4 to 64 bytes. */
const copy = (offset: number, length: number, out: Uint8Array, start: number): number => {
  let at = start
  for (let remaining = length; remaining > 0; ) {
    const now = remaining > 67 ? 64 : remaining > 64 ? 60 : remaining
    out[at++] = ((now - 1) << 2) | 2
    out[at++] = offset & 255
    out[at++] = offset >> 8
    remaining -= now
  }
  return at
}

export const decompress = (input: Uint8Array, length: number): Uint8Array => {
  const out = new Uint8Array(length)
  let from = 0
  while ((input[from] ?? 0) > 127) from++
  from++
  let at = 0
  while (from < input.length) {
    const tag = input[from++] ?? 0
    const kind = tag & 3
    if (kind === 0) {
      let size = (tag >> 2) + 1
      if (size > 60) {
        const bytes = size - 60
        size = 1
        for (let n = 0; n < bytes; n++) size += (input[from + n] ?? 0) * 2 ** (8 * n)
        from += bytes
      }
      if (at + size > length || from + size > input.length) throw new Error("the snappy page is damaged")
      out.set(input.subarray(from, from + size), at)
      from += size
      at += size
      continue
    }
    const size = kind === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1
    let offset = (kind === 1 ? (tag >> 5) * 256 : 0) + (input[from++] ?? 0)
    if (kind > 1) offset += (input[from++] ?? 0) * 256
    if (kind === 3) for (let n = 2; n < 4; n++) offset += (input[from++] ?? 0) * 2 ** (8 * n)
    if (offset === 0 || offset > at || at + size > length) throw new Error("the snappy page is damaged")
    // Byte by byte: a copy may overlap itself.
    for (let n = 0; n < size; n++, at++) out[at] = out[at - offset] ?? 0
  }
  if (at !== length) throw new Error("the snappy page is damaged")
  return out
}
