/**
 * The decimal digits of numbers, as JSON text writes them.
 *
 * A double stands for the shortest digits that identify it: 19.99 is exactly 1999 hundredths, and so a multiple of 0.01,
 * though a division of doubles would not say so.
 */

interface Digits {
  /** All digits as one whole number, with the sign. */
  readonly whole: bigint
  /** How many of them stand behind the point. */
  readonly scale: number
}

/** How many digits stand behind the point of a finite number. */
export const scaleOf = (value: number): number => digitsOf(value).scale

/** "12.50": the number with so many digits behind the point; undefined where it has more. */
export const fixed = (value: number, scale: number): string | undefined => {
  if (!Number.isFinite(value)) return undefined
  const digits = digitsOf(value)
  if (digits.scale > scale) return undefined
  const whole = digits.whole * 10n ** BigInt(scale - digits.scale)
  const text = String(whole < 0n ? -whole : whole).padStart(scale + 1, "0")
  const point = text.length - scale
  return `${whole < 0n ? "-" : ""}${text.slice(0, point)}${scale === 0 ? "" : `.${text.slice(point)}`}`
}

/** Whether a number is a whole number of times another. */
export const isMultiple = (value: number, divisor: number): boolean => {
  if (!Number.isFinite(value) || !Number.isFinite(divisor) || divisor === 0) return false
  const [a, b] = [digitsOf(value), digitsOf(divisor)]
  const scale = Math.max(a.scale, b.scale)
  return (a.whole * 10n ** BigInt(scale - a.scale)) % (b.whole * 10n ** BigInt(scale - b.scale)) === 0n
}

const digitsOf = (value: number): Digits => {
  const [mantissa = "0", exponent = "0"] = String(value).split("e")
  const [whole = "0", fraction = ""] = mantissa.split(".")
  const shift = Number(exponent) - fraction.length
  const digits = BigInt(whole + fraction)
  return shift >= 0 ? { whole: digits * 10n ** BigInt(shift), scale: 0 } : { whole: digits, scale: -shift }
}
