/**
 * Signs that mean minus, as the minus of ASCII: "△12.5" of Japan is "-12.5". Marks of the direction of writing, which
 * stand between a sign and its number, are left out.
 */
export const asciiMinus = (text: string, language: string | undefined): string => {
  const plain = text.replaceAll(/\p{Cf}/gu, "").replaceAll(/[−‑﹣－](?=\s?[\d\p{Sc}.,])/gu, "-")
  const triangle = triangles.find(([of]) => of.test(language ?? ""))?.[1]
  return (triangle === undefined ? plain : plain.replaceAll(triangle, "-")).replaceAll(fallen, "-")
}

/** A share behind a triangle that points down has fallen; what one that points up means differs outside Japan. */
const fallen = /▼\s?(?=[\d.,]+\s?[%％])/g
const triangles: ReadonlyArray<readonly [language: RegExp, signs: RegExp]> = [
  [/^ja\b/i, /[△▲]\s?(?=[\d¥￥.])/g],
  [/^ko\b/i, /△\s?(?=[\d₩.])/g]
]
