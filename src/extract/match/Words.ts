/** Words of names by what they mean: little, nothing, or what distinguishes a name from similar ones. */

/** Words that say little: "item name" is a name, "customer score" a score. */
export const light: ReadonlySet<string> = new Set(
  (
    "item product page main full customer user our your my current official web website job article primary first total basic general entry record detail info information " +
    "object field value data text overall average mean yearly annual monthly per is has get wanted extracted actual exact published shown listed given displayed short long new original content og dc dcterms citation this that own profile weekly daily"
  ).split(" ")
)

export const stop: ReadonlySet<string> = new Set(
  "the a an of for to in on at by with and or was were be been as its it this that der die das des dem den ein eine le la les un une de du el los las il lo gli i o os het een".split(
    " "
  )
)

/** What tells a name from its like: a sale price is not the price. */
export const telling: ReadonlySet<string> = new Set(
  (
    "old new sale list regular original special min max minimum maximum lowest highest low high first last next previous start end total sub net gross parent child worst best from birth death home work mobile billing shipping " +
    "secondary alternative alternate backup estimated wholesale unpaid"
  ).split(" ")
)

/** Words that make a different name, on either side: a deputy director is not the director, nor the director a deputy. */
export const another: ReadonlySet<string> = new Set(
  (
    "deputy vice assistant acting interim former co honorary emeritus emergency maiden middle " +
    "stellvertretend stellvertretende stellvertretender ehemalig ehemalige ehemaliger adjoint adjointe ancien ancienne"
  ).split(" ")
)
