package textual

// englishOpposites holds one line for each group of words that exclude one another where they stand in the same place of two
// sentences: opposites, and kinds of one thing. Slots are parted by "|"; the words of one slot mean the same. General
// vocabulary and that of rules, fares, taxes and software; compiled by hand.
const englishOpposites = `
big large huge giant enormous vast gigantic massive | small little tiny miniature
tall | short
long lengthy | short brief
high | low
wide broad | narrow
thick | thin
heavy | light lightweight
hot warm | cold cool chilly freezing
wet | dry
fast quick rapid speedy | slow
early | late
old elderly aged | young youthful
old ancient | new modern recent
happy glad pleased cheerful joyful delighted | sad unhappy upset miserable
good great excellent | bad poor terrible awful
best | worst
better | worse
right correct accurate true | wrong incorrect inaccurate false untrue
safe | dangerous unsafe hazardous
clean | dirty filthy
full | empty
open | closed shut
opening | closing
strong | weak
easy simple | difficult hard
rich wealthy | poor
loud noisy | quiet silent
public | private
cheap inexpensive | expensive costly
beautiful pretty | ugly
same identical | different
alive living | dead
awake | asleep
sit seated sitting | stand standing | lie lying | kneel | jump
walk walking | run running jog jogging | drive driving | fly flying | swim swimming
sleep sleeping | wake
laugh laughing | cry crying weep
smile smiling | frown frowning
push pushing | pull pulling
throw | catch
buy purchase | sell
give | take
lend | borrow
send | receive
teach | learn
love like enjoy | hate dislike
win | lose
remember | forget
arrive arrival | depart departure leave
enter | exit
start begin commence launch | end finish stop cease conclude
first | last
before prior | after following
earlier sooner | later
increase rise grow raise | decrease fall decline reduce drop lower
more | less fewer
most | least fewest
maximum max | minimum min
above over | below under beneath
inside indoors | outside outdoors
near nearby beside | far distant
front | back rear
left | right
top upper | bottom
up upward | down downward
upstairs | downstairs
include including contain | exclude excluding
with | without
always | never
everyone everybody | nobody
all every | none
allow permit permitted allowed permissible authorise authorize | forbid prohibit ban disallow prohibited forbidden banned
accept approve approval | reject refuse deny decline rejection
possible | impossible
able | unable
legal lawful | illegal unlawful
valid | invalid
available | unavailable
required mandatory compulsory obligatory necessary require | optional voluntary unnecessary
refundable | nonrefundable
taxable taxed | exempt nontaxable untaxed
free complimentary | charged paid
domestic | international overseas abroad
eligible | ineligible
enable enabled activate | disable disabled deactivate
online | offline
manual manually | automatic automatically
temporary | permanent
weekday weekdays | weekend weekends
morning | afternoon | evening | night
day daytime | night nighttime
today | tomorrow | yesterday
spring | summer | autumn | winter
north northern | south southern | east eastern | west western
sun | moon | mars | venus | jupiter
import | export
asset | liability
income revenue | expense expenditure
gain profit | loss
debit | credit
buyer purchaser customer | seller vendor
lender | borrower
employer | employee
landlord | tenant
teacher | student pupil
doctor | nurse | lawyer | engineer | pilot
parent | child
husband | wife
father dad daddy | mother mom mum mommy
brother | sister
son | daughter
boy | girl
uncle | aunt
king | queen
man men male gentleman guy | woman women female lady
adult grownup | child kid infant baby toddler
positive | negative
major | minor
internal | external
physical | virtual
upload | download
encrypt | decrypt
install | uninstall
add | remove delete subtract
connect | disconnect
lock | unlock
show display | hide
fresh | rotten stale
married | single unmarried divorced
barefoot | shod
naked nude | dressed clothed
crowded | deserted
calm | angry furious
black | white | red | blue | green | yellow | pink | purple violet | orange | brown | gray grey | tan beige | gold golden | silver
`

// englishKinds are kinds of one thing, in the same form.
const englishKinds = `
monday | tuesday | wednesday | thursday | friday | saturday | sunday
january jan | february feb | march | april apr | may | june jun | july jul | august aug | september sept sep | october oct | november nov | december dec
japan | china | korea | india | france | germany | italy | spain | england britain uk | ireland | scotland | usa america | canada | mexico | brazil | russia | australia | sweden | norway | finland | denmark | poland | greece | turkey | egypt | portugal | austria | switzerland | netherlands holland | belgium | vietnam | thailand | indonesia | philippines | argentina | chile | peru | cuba | iran | iraq | israel | kenya | nigeria | morocco | singapore | malaysia | taiwan | ukraine | hungary | romania | pakistan | bangladesh | nepal | jamaica
japanese | chinese | korean | indian | french | german | italian | spanish | english british | irish | scottish | american | canadian | mexican | brazilian | russian | australian | swedish | norwegian | finnish | danish | polish | greek | turkish | egyptian | portuguese | austrian | swiss | dutch | belgian | vietnamese | thai | indonesian | filipino | argentinian | chilean | peruvian | cuban | iranian | iraqi | israeli | kenyan | nigerian | moroccan | taiwanese | ukrainian | hungarian | romanian | pakistani | nepalese | jamaican | scandinavian
tokyo | osaka | kyoto | nagoya | sapporo | fukuoka | london | paris | berlin | rome | madrid | moscow | beijing | shanghai | seoul | boston | chicago | miami | seattle | dallas | houston | atlanta | denver | toronto | sydney | dublin | vienna | amsterdam | delhi | mumbai
stone rock | brick | wood wooden timber | cement concrete | plastic | glass | metal | steel | iron | copper | aluminium aluminum | bronze | paper | leather | rubber | marble | clay | cotton | wool woolen | silk | linen | sand | velvet | denim | nylon | polyester | diamond | zinc | lead | nickel | platinum | tin | cardboard | ceramic
guitar | piano | violin | drum drums | trumpet | flute | saxophone | cello | harp | accordion | trombone | clarinet | harmonica | banjo | tuba | xylophone | ukulele | keyboard | bass | viola | oboe | fiddle | bagpipe | tambourine | mandolin
beer | wine | whisky whiskey | vodka | tequila | rum | gin | champagne | coffee | tea | juice | milk | water | soda cola | lemonade | brandy | cocktail | cider | sake | cocoa
carrot | potato | onion | tomato | cabbage | lettuce | cucumber | celery | pumpkin | broccoli | cauliflower | spinach | pepper | garlic | pea | bean | corn | eggplant | radish | mushroom | zucchini | asparagus | beet | turnip | leek
apple | banana | orange | lemon | lime | grape | strawberry | cherry | peach | pear | melon | watermelon | pineapple | mango | kiwi | plum | coconut | blueberry
kitchen | bathroom restroom toilet | bedroom | lounge | garage | basement | attic | balcony | courtroom | classroom | office | library | hallway corridor | laundry | studio | nursery | cellar | porch | ballroom | cafeteria | gym
dog puppy hound | cat kitten | horse pony | cow cattle | sheep lamb | goat | pig | rabbit bunny | mouse | rat | lion | tiger | bear | elephant | giraffe | zebra | monkey | deer | wolf | fox | chicken hen | duck | bird | fish | snake | frog | turtle | camel | panda | kangaroo
car automobile | bus | truck lorry | bicycle bike | motorcycle motorbike | train | airplane plane aeroplane aircraft | helicopter | boat | ship | taxi cab | van | tractor | skateboard | scooter | canoe | kayak
soccer | baseball | basketball | tennis | golf | hockey | volleyball | cricket | rugby | boxing | skiing | swimming | surfing | skating | badminton | wrestling | gymnastics
shirt | jacket coat | hat cap | dress | skirt | pants trousers | shoe | boot | sock | glove | scarf | sweater | suit | tie
table | chair | sofa couch | bed | desk | bench | shelf
breakfast | lunch | dinner supper
pizza | burger hamburger | sandwich | pasta spaghetti noodle | rice | bread | cake | soup | salad | steak
eye | ear | nose | mouth | hand | foot | arm | leg | head | knee | shoulder | neck
doctor physician | dentist | firefighter fireman | policeman police officer | chef cook | waiter waitress | farmer | soldier | singer | dancer | actor actress | painter | writer author | director | producer
mercury | venus | earth | mars | jupiter | saturn | uranus | neptune | pluto
second | minute | hour | week | month | year | decade | century
river | lake | ocean sea | mountain | desert | forest woods | beach | island | valley
circle | square | triangle | rectangle
christian christianity | muslim islam | jewish judaism | buddhist buddhism | hindu hinduism
democrat democratic | republican
economy | business | premium
`

// englishSynonyms holds one line for each group of words that mean the same or nearly so; the first stands for all of them.
const englishSynonyms = `
road street
path trail track
photograph photo picture
television tv
film movie
author writer
begin start
near close nearby
talk speak chat converse
look watch view
assist help aid
show display demonstrate
fix repair mend
choose select pick
ask inquire
answer reply respond
reply response
get obtain acquire retrieve
need require
keep retain
begin origin originate
make create produce
try attempt
happen occur
explain describe
use utilize utilise employ
help support
also additionally
city town
fee charge cost price fare
phone telephone
child kid
person individual human someone somebody
people persons folk
hike walk stroll
eat consume
big large
job occupation profession
movie film
gift present
bicycle bike
ill sick
infant baby
lawyer attorney
company firm corporation
purchase buy
finish complete
permit allow
start commence
holiday vacation
shop store
trash garbage rubbish
mail post
ticket pass
baggage luggage
lavatory toilet restroom
reserve book booking reservation
cancel cancellation
refund reimburse reimbursement repay
yearly annual annually
monthly month
daily day
approximately about around roughly
worldwide global globally
famous known renowned
physician doctor
couch sofa
garment clothing clothes apparel
automobile car
error mistake
fast quick
`

// englishKindsOf says what a thing also is: the word before the colon is said by each of those behind it.
const englishKindsOf = `
person: man woman boy girl child adult player singer student teacher worker rider dancer doctor nurse driver pilot passenger customer skier surfer
people: man woman boy girl child adult player crowd couple family youth teen person
child: boy girl toddler infant baby
youth: teen teenager student
animal: dog cat horse cow sheep goat pig rabbit lion tiger bear elephant giraffe zebra monkey deer bird
pet: dog cat rabbit hamster
vehicle: car bus truck bicycle motorcycle train van taxi
instrument: guitar piano violin drum trumpet flute saxophone cello accordion
food: pizza burger sandwich pasta rice bread cake soup salad steak meal apple banana
drink: beer wine coffee tea juice milk water soda
fruit: apple banana orange lemon grape strawberry
outside: street park beach field mountain lake river garden
water: lake river ocean pool
sport: soccer baseball basketball tennis golf hockey volleyball rugby
building: house church school hotel
clothing: shirt jacket dress skirt
`
