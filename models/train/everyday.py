"""Everyday talk by template: what people tell each other, and how they later ask about it.

The free texts are dictionaries, manuals, novels and games; none of them says "my sister is starting a new job in March".
The sentences here fill that gap. Their meaning comes from the teacher, so they need to be varied, not true: each takes
its nouns from a WordNet subtree (food, sport, illness, trade ...) and its frame from the lists below.
"""

import random

RELATIONS = """sister brother mom dad mother father wife husband partner girlfriend boyfriend daughter son cousin aunt uncle
grandma grandpa niece nephew boss colleague coworker neighbor roommate friend best~friend teacher coach therapist doctor
landlord kids parents in-laws team manager dog cat""".split()
TIMES = """yesterday today tonight tomorrow last~night last~week last~month last~year this~morning this~weekend next~week
next~month next~summer last~summer last~Friday on~Monday on~Saturday two~days~ago a~few~weeks~ago three~years~ago in~March
in~June in~October in~2019 in~2022 in~2023 when~I~was~a~kid since~college for~ten~years over~the~holidays on~my~birthday
around~Christmas after~work before~dinner the~other~day recently lately soon every~Sunday twice~a~week""".split()
FEELINGS = """happy sad excited nervous proud tired grateful lonely anxious thrilled disappointed stressed relieved calm
overwhelmed inspired hopeful jealous angry embarrassed confused curious bored scared peaceful motivated exhausted""".split()
PLACES = """park beach gym library museum office hospital school church market mall airport mountains lake forest city
restaurant cafe bakery theater stadium zoo garden kitchen workshop studio shelter garage college farm island hotel""".split()
CITIES = """London Paris Berlin Tokyo Rome Madrid Chicago Boston Seattle Toronto Sydney Mumbai Lisbon Dublin Vienna Prague
Athens Cairo Seoul Bangkok Denver Austin Portland Miami Vancouver Barcelona Amsterdam Stockholm Oslo Kyiv Warsaw Beijing
Shanghai Delhi Lima Nairobi Brazil Italy Spain Japan Canada Mexico Greece Norway Iceland Peru Kenya India Sweden""".split()
WISHES = """learn~to~swim write~a~book run~a~marathon start~a~business adopt~a~dog move~to~another~city
buy~a~house change~careers go~back~to~school quit~my~job volunteer~more save~money lose~weight eat~healthier sleep~better
read~more~books travel~more paint~again play~the~guitar learn~a~new~language meditate~every~day build~a~website
fix~my~car plan~a~wedding keep~bees grow~vegetables go~sailing spend~more~time~with~family
take~better~care~of~myself see~the~northern~lights record~an~album open~a~shop retire~early
finish~my~degree get~a~tattoo host~a~party organize~my~closet train~my~puppy bake~bread learn~to~code""".split()
OPENERS = """Hey! Wow! Oh~no, Thanks! Yeah, Well, Honestly, Guess~what? By~the~way, That's~great! So~cool! Sorry~to~hear~that.
I~know,~right? Haha, Congrats! Oh, Actually, Good~to~hear~from~you!""".split()

# {thing} names the kinds of noun a frame can take; a statement and the question someone asks of it later stand together.
FRAMES = [
    ("food", "I made {a} for dinner {time} and my {rel} loved it.", "What did you cook for your {rel}?"),
    ("food", "My favorite food is {n}, I could eat it every day.", "What food do I like best?"),
    ("food", "I'm trying to cut down on {n} because of my health.", "Why did you stop eating {n}?"),
    ("food", "Do you have a good recipe for {n}? I want to surprise my {rel}.", "Which recipe was I looking for?"),
    ("food", "I'm allergic to {n}, so please leave it out.", "Do I have any food allergies?"),
    ("animal", "We adopted {a} from the shelter {time}.", "When did you adopt the {n}?"),
    ("animal", "I saw {a} in the {place} {time}, it was amazing.", "Where did you see the {n}?"),
    ("animal", "My {rel} is afraid of {ns} but I think they are cute.", "Who is afraid of {ns}?"),
    ("animal", "We had to take our {n} to the vet {time}.", "What happened to your {n}?"),
    ("sport", "I started playing {n} {time} to get in shape.", "When did you start {n}?"),
    ("sport", "My {rel} won a {n} tournament {time} and we are so {feel}.", "Who won the {n} tournament?"),
    ("sport", "I hurt my knee at {n} practice, so I'm resting {time}.", "How did you hurt your knee?"),
    ("sport", "Have you ever tried {n}? It helps me when I'm {feel}.", "Which sport helps you relax?"),
    ("music", "I've been learning the {n} {time}.", "Which instrument do you play?"),
    ("music", "My {rel} bought me {a} for my birthday.", "What did your {rel} give you for your birthday?"),
    ("music", "We heard someone play the {n} at a concert in {city}.", "What concert did you go to in {city}?"),
    ("job", "I'm thinking about becoming {a}.", "What career are you thinking about?"),
    ("job", "My {rel} works as {a} in {city}.", "What does your {rel} do for a living?"),
    ("job", "I got promoted to {n} {time}, I'm so {feel}!", "When did you get promoted?"),
    ("job", "I talked to {a} about it and felt {feel} afterwards.", "Who did you talk to about it?"),
    ("illness", "My {rel} was diagnosed with {n} {time}.", "What illness does your {rel} have?"),
    ("illness", "The doctor says I have {n} and should rest.", "What did the doctor say?"),
    ("illness", "How do you deal with {n}? I've been feeling {feel}.", "What are you suffering from?"),
    ("clothing", "I bought {a} for my {rel}'s wedding.", "What did you buy for the wedding?"),
    ("clothing", "I lost my {n} at the {place} {time}.", "Where did I leave my {n}?"),
    ("vehicle", "We rented {a} and drove to {city} {time}.", "How did you get to {city}?"),
    ("vehicle", "My {n} broke down on the way to the {place}.", "What happened on the way to the {place}?"),
    ("plant", "I'm growing {ns} in my garden this year.", "What do you grow in your garden?"),
    ("plant", "My {rel} gave me {a}, it reminds me of home.", "What reminds you of home?"),
    ("furniture", "We put {a} in the living room, it looks great.", "What did you put in the living room?"),
    ("device", "My {n} stopped working, so I had it repaired {time}.", "What had to be repaired?"),
    ("device", "I built {a} in the workshop with my {rel}.", "What did you build with your {rel}?"),
    ("art", "I painted {a} {time} and gave it to my {rel}.", "What did you paint?"),
    ("game", "We play {n} with the kids {time}.", "Which game do you play with the kids?"),
    ("subject", "I'm taking a class on {n}, it's harder than I thought.", "What class are you taking?"),
    ("subject", "Could you recommend a good book about {n}?", "Which books about {n} did you recommend?"),
    ("subject", "My {rel} is writing a thesis about {n}.", "What is the thesis of your {rel} about?"),
    ("event", "The {n} {time} made me feel so {feel}.", "How did the {n} make you feel?"),
    ("event", "We are planning {a} for my {rel} {time}.", "What are you planning for your {rel}?"),
    ("building", "They opened {a} near our house in {city}.", "What opened near your house?"),
    ("act", "What do you think about {n}? My {rel} is against it.", "What is your {rel} against?"),
    ("act", "Our {n} went better than expected, I'm {feel}.", "How did your {n} go?"),
    ("feeling", "There is a lot of {n} in my life at the moment.", "How have you been feeling?"),
    ("group", "I joined {a} in {city} {time}.", "What group did you join?"),
    ("money", "We need to save for {a} before {time}.", "What are you saving for?"),
    ("verb", "I would love to {n} with my {rel} someday.", "What would you love to do with your {rel}?"),
    ("verb", "Can you help me {n} before tomorrow?", "What did I ask you to help with?"),
    ("verb", "I didn't want to {n}, but my {rel} insisted.", "What did your {rel} make you do?"),
]

PLAIN = [
    "I really want to {wish} {time}.", "My {rel} wants to {wish}, and I'm {feel} about it.",
    "Did you ever {wish}?", "How long did it take you to {wish}?", "What inspired you to {wish}?",
    "When did you decide to {wish}?", "Have you thought about how to {wish}?", "What are some tips to {wish}?",
    "I moved from {city} to {city2} {time}.", "Where did you live before {city}?", "When are you going to {city}?",
    "We spent our vacation in {city} and visited the {place}.", "Where does your {rel} live?", "I'm so {feel} {time}.",
    "My {rel} and I went to the {place} {time}.", "Who did you go to the {place} with?", "What's your {rel}'s name?",
    "How is your {rel} doing? I heard they were {feel}.", "My {rel} passed away {time}, I miss them a lot.",
    "It's been {time} that I last saw my {rel}.", "What did you do {time}?", "How many times did you go to the {place}?",
    "Can you suggest a hotel in {city} for my {rel} and me?", "What places should I see in {city}?",
    "I feel {feel} whenever I go to the {place}.", "Being at the {place} makes me {feel}.",
    "That sounds {feel}, tell me more about your {rel}.", "How much did I pay for the trip to {city}?",
    "I've been working at the {place} for two years now.", "Is it true that you are {feel} about {city}?",
    "Remind me what I said about my {rel} {time}.", "Which of my friends lives in {city}?",
    "Here are five ideas to {wish} without spending much.", "To {wish}, start small and keep a routine.",
    "You mentioned the {place} in {city}; what was it called?", "I have an appointment at the {place} {time}.",
    "I'd suggest you talk to your {rel} before you {wish}.", "Take your time to {wish}, it's worth it.",
]


def everyday(nouns, count, seed):
    """Yield `count` texts of one to three sentences; `nouns` maps a kind of FRAMES to its list of words."""
    rng = random.Random(seed)
    for _ in range(count):
        text = sentence(nouns, rng)
        while rng.random() < 0.3 and len(text.split()) < 40:
            text = f"{text} {sentence(nouns, rng)}"
        yield f"{pick(OPENERS, rng)} {text}" if rng.random() < 0.2 else text


def sentence(nouns, rng):
    blanks = {
        "time": pick(TIMES, rng), "rel": pick(RELATIONS, rng), "feel": pick(FEELINGS, rng), "place": pick(PLACES, rng),
        "city": pick(CITIES, rng), "city2": pick(CITIES, rng), "wish": pick(WISHES, rng),
    }
    if rng.random() < 0.25:
        return rng.choice(PLAIN).format(**blanks)
    kind, statement, question = rng.choice(FRAMES)
    noun = rng.choice(nouns[kind])
    article = "an" if noun[0] in "aeiou" else "a"
    blanks |= {"n": noun, "ns": noun if noun.endswith("s") else noun + "s", "a": f"{article} {noun}"}
    return (question if rng.random() < 0.35 else statement).format(**blanks)


def pick(words, rng):
    return rng.choice(words).replace("~", " ")
