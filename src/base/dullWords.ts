/**
 * Words that say nothing of what a text or a question is about. All lists of them stand here.
 *
 * What is dull depends on what is searched: "data" is a word of law, and "law" one of a page.
 */

/** What people type between the words that they mean, when they look for pages. */
export const isDull = (word: string): boolean => common.has(word) || ofPages.has(word)

/** What a question of law says around what it is about. */
export const isDullInLaw = (word: string): boolean => common.has(word) || ofLaw.has(word)

const setOf = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

const common = setOf(`
a an and any are as at be by can do find for from get give how i in is it its me my of on or please show
that the their there this to was we what when where which who why will with you your
`)

const ofPages = setOf(`
all each every list doe data information page
`)

const ofLaw = setOf(`
been being but cannot could did does doing done had has have having if into itself just may might must no
nor not off once only other ought our ours out own per s same shall she he her his him should so some such t
than theirs them then these they those too under until up upon us very were whether while whom whose within
without would yours about anyone anybody someone somebody also am allowed allow need needs tell say says
said know want gets got much many long mean means law laws legal according pursuant subject thereof therein
thereto herein hereby hereof
`)
