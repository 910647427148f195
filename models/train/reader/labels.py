"""The label sets of the tagger, in the order of its output columns. `src/reading/labels.ts` has the same lists."""
RELATIONS = (
    "name relationship job employer location origin partner family age birthday pet species_breed allergy condition "
    "medication dose diet like dislike favourite hobby sport instrument language education skill tool device vehicle home "
    "possession measurement schedule appointment event trip plan goal price subscription membership religion nationality "
    "habit project deadline contact other"
).split()
STATES = "holds ended planned past negated hypothetical".split()
