/**
 * What plain words are called in law, and what is called differently in one law than in the next.
 *
 * An alternative finds, but counts less than the word itself; an alternative of several words is a phrase.
 */

/** Other words for a word; none where it has none. A word is as a query has it: singular, plural or in -ing. */
export const alternatives = (word: string): ReadonlyArray<string> => {
  for (const form of [
    word,
    word.replace(/s$/, ""),
    word.replace(/es$/, ""),
    word.replace(/ies$/, "y"),
    word.replace(/ing$/, "")
  ]) {
    const known = table.get(form)
    if (known !== undefined) return known
  }
  return []
}

/** Each line is a circle: every word of it may stand for any other. After `>`: only the way from left to right. */
const lines = `
landlord, lessor, housing provider
tenant, renter, lessee
rent > rental
kick, evict, eviction
evicted > eviction
apartment, rental unit, housing accommodation
roommate > cohabitant, occupant
house, home, dwelling, residence
car, motor vehicle, automobile
truck > motor vehicle, commercial vehicle
bike, bicycle
scooter > personal mobility device
dog, animal
cat > animal
pet > animal, dog
chicken, poultry, fowl
garbage, trash, refuse, solid waste
junk > refuse, debris
rubbish > refuse, solid waste
recycle > recyclable
sewer, wastewater, sewage
sidewalk, pedestrian way
noise, loud, noisy
party > gathering
fence, wall
sign, signage, billboard
yard > lot
street, highway, road
tree > trees
fireworks > explosives
weed > vegetation, cannabis
marijuana, cannabis
booze, liquor, alcohol
drunk, intoxicated, inebriated
beer, malt beverage
wine > fermented
smoke, smoking, tobacco
cigar > cigars, tobacco products
cigarette > tobacco products
vape > electronic smoking device
gun, firearm
cop, police
jail, imprisonment, imprisoned, confinement
prison > imprisonment
fine, penalty
punishment, penalty, sentence
punished > penalty
illegal, unlawful, prohibited
ban, prohibit
banned > prohibited
forbidden > prohibited, unlawful
crime, offense, misdemeanor, felony
steal, theft, larceny
steals > theft, stolen, unauthorized
stole > theft, stolen, unauthorized
lose > loss, liability
last > duration, term
fraud, fraudulent
sue, civil action, cause of action
lawsuit, civil action
lawyer, attorney
court > tribunal
job, employment
worker, employee
boss, employer
fired, discharge, terminated, dismissal
hire > employ, hiring
wage, pay, salary, compensation
paycheck > wages
overtime > overtime compensation
layoff > reduction in force
unemployed, unemployment
injured, injury
hurt > injury
sick > illness
pregnant > pregnancy
kid, child, minor
baby > infant, child
old, elderly
senior > elderly, older
disabled, disability, handicapped
doctor, physician
drug > controlled substance
medicine > drug, medication
teacher > educator
school > educational institution
student > pupil
buy, purchase
sell, sale
borrow > loan, borrower
lender, creditor
borrower, debtor
mortgage, home loan
debt, obligation
bank, financial institution, depository institution
credit card > access device, credit
debit card > access device
card > access device
atm > electronic terminal
lost > loss
stolen > theft, unauthorized
money transfer > remittance transfer
wire > remittance, transfer
remittance > remittance transfer
refund, reimbursement
paycheck > wages
bill > invoice, statement
mistake, error
complaint, grievance
refuse > deny
reject > deny, disapprove
denied > denial, adverse action
application > applicant
apply, application
start > commence
stop > cease
end > terminate, expire
rule, regulation
ordinance > municipal code
statute, code
permit, license
license, permit
fee, charge
tax, taxation
taxes > tax
property tax > real property tax
deadline, time limit
late > delinquent, overdue
notify, notice
tell > notify, disclose
disclosure, disclose
record > records
keep > retain, maintain
copy > copies, reproduction
copying > reproduction
song > musical work
music > musical work
movie, motion picture
film > motion picture
tv, television
radio > broadcast
cable > cable system
book > literary work
photo > photograph
website > internet
privacy > nonpublic personal information
personal information, nonpublic personal information
discriminate, discrimination
race > color, national origin
gay > sexual orientation
marriage, married, spouse
divorce > dissolution of marriage
widow > surviving spouse
veteran, servicemember
soldier > armed forces, servicemember
army > armed forces
immigrant, alien
immigration > alien
citizen > national
vote > voting, ballot
voter > elector
election > elections
mayor > city manager
council > city council
meeting > meetings
water > potable
flood, floodplain
fire > combustible
build, construct, construction
builder, contractor
remodel > alteration
building permit > permit
zoning, land use
subdivision, plat
airbnb > short-term rental
taxi, taxicab
uber > transportation network
parking, park
park > parks, recreation
camp, camping
homeless > homelessness
food truck > mobile food
restaurant > food establishment
shop > store, retail
store > retail
business > business license
peddler, solicitor
yard sale > garage sale
graffiti > defacement
abandoned > derelict
vacant > unoccupied
pollution > contaminant, discharge
river > stream, waterway
wildlife > fish
fishing > fish
hunting > hunt, take
endangered > threatened
insurance > insurer
novel > literary work
pirate, infringe
pirated > infringement, infringing
piracy > infringement
resell > sale, dispose
resale > sale
upload > stored, online
website > online, internet, service provider
online, internet
quote > quotation, criticism, comment
quotation > criticism, comment
secret > confidential
confidential > confidentiality, disclosure
binding > enforceable, valid
begin > commence, commencement
realtor > real estate broker, real estate agent
client > customer, referral
referral > kickback
bribe > kickback, thing of value
dealer > licensee
missing > lost, theft
raise > increase
hike > increase
move > vacate
moves > vacate, vacancy
neighbor > adjacent, adjoining
neighbour > adjacent, adjoining
deadly > death
danger, hazard
dangerous > hazardous
skilled > ordinary skill
obvious > non-obvious
invention > patentable
trademark > mark
weekly > benefit
benefits > benefit
vacation > annual leave
leave > absence
maternity > pregnancy, parental leave
overdraft > overdrawn
cash > currency
atm, automated teller machine
website > domain
hack > access without authorization
spam > commercial electronic mail
robocall > automatic telephone dialing
report > notify
look > investigate, investigation
check > verify, payment
safety > safe
accident > crash
speed > miles per hour
drive > operate
driver, operator
`

const table: ReadonlyMap<string, ReadonlyArray<string>> = (() => {
  const found = new Map<string, Array<string>>()
  const add = (word: string, others: ReadonlyArray<string>) => {
    const own = found.get(word) ?? []
    found.set(word, [...new Set([...own, ...others.filter((other) => other !== word)])])
  }
  for (const line of lines.trim().split("\n")) {
    const [left = "", right] = line.split(" > ")
    const circle = left.split(", ")
    if (right !== undefined) add(left, right.split(", "))
    else for (const word of circle) add(word, circle)
  }
  return found
})()
