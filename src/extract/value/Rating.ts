/**
 * Reads a rating and the number of people who gave one from one text: "4.6 (1,234 reviews)", "★ 4,6 (87)".
 *
 * A number before a number in brackets is a rating only if there is a star, or a word such as "reviews".
 */
export interface Rating {
  readonly rating: number
  /** The number of people; undefined if it is rounded, as in "2.1k reviews". */
  readonly count?: number
  /** The start of the rating in the text. */
  readonly from: number
  readonly to: number
}

/** `isSaid`: a label already says that it is a rating. */
export const parse = (text: string, isSaid = false): Rating | undefined => {
  const found = written.exec(text)
  if (found === null) return undefined
  const [all, before = "", value = "", behind = "", number = "", scale = "", word = ""] = found
  const isStarred = star.test(before) || behind !== ""
  const rating = Number(value.replace(",", "."))
  if ((!isSaid && !isStarred && word === "") || rating > 10) return undefined
  const count = scale === "" ? Number(number.replaceAll(/[.,\s]/g, "")) : undefined
  const from = found.index + before.length
  const to = found.index + all.length
  return { rating, ...(count === undefined ? {} : { count }), from, to }
}

const star = /[★⭐☆]/u

const people =
  "ratings?|reviews?|customer reviews|votes?|Bewertung(?:en)?|Kundenbewertungen|Rezensionen|avis(?: clients)?|évaluations?|" +
  "opiniones|reseñas?|valoraciones|calificaciones|recensioni|valutazioni|avaliações|opiniões|beoordelingen|recensies|omdömen|" +
  "anmeldelser|opinii|recenzji|отзыв(?:а|ов)?|оцен(?:ка|ки|ок)|件(?:のレビュー|の評価)?|レビュー|条评价|條評價|리뷰|تقييم(?:ات)?|مراجعة"

const written = new RegExp(
  "(^\\s{0,3}(?:[★⭐☆]{1,10}\\s{0,3})?|[★⭐☆]\\s{0,3})" +
    "(\\d(?:[.,]\\d{1,2})?|10(?:[.,]0)?)(?![\\d.,]\\d)" +
    "(\\s?(?:[★⭐☆]{1,10}|stars?\\b|Sternen?\\b|étoiles?\\b|estrellas\\b|stelle\\b))?" +
    "\\s{0,3}(?:[(（]|[·•|]\\s{0,3}(?=[\\d.,]+k?\\+?\\s?\\p{L}))\\s?" +
    "(\\d{1,3}(?:[.,\\s]\\d{3}){1,3}(?!\\d)|\\d{1,8}(?:[.,]\\d(?=[kK]))?)([kK]?)\\+?" +
    `\\s?(${people})?(?![\\p{L}\\d])\\s?[)）]?`,
  "iu"
)
