/** Words before a clause that make it anything but a plain statement of the speaker. */
const supposing =
  /(?<!\p{L})(?:if|unless|suppose|supposing|imagine|assume|assuming|pretend|pretending|hypothetically|what if|in case|whether|let's say|wish|would|could|might|maybe|perhaps|wenn|falls|angenommen|ob|würde|wäre|könnte|vielleicht|si|imaginons|supposons|supongamos|imagina|quizás|tal vez|якщо|якби|уяви|уявімо|припустимо|може)(?!\p{L})|如果|假如|要是|假设|想象|也许|可能/iu;
const reporting =
  /(?<!\p{L})(?:said|says|saying|told|tells|thinks|thought|claims|claimed|believes|believed|asked|asks|wrote|writes|heard|reads|reckons|whispered|sagt|sagte|meint|meinte|glaubt|behauptet|fragt|dit|disait|pense|croit|demande|dice|dijo|piensa|cree|pregunta|каже|казав|казала|сказав|сказала|думає|питає|вважає)(?!\p{L})|[他她](?:们)?(?:说|觉得|以为|问)/iu;
/** The rest is material to work on, not something the speaker says. */
const instructing =
  /(?<!\p{L})(?:translate|proofread|rewrite|rephrase|paraphrase|summari[sz]e|write|draft|compose|say|print|repeat|the sentence|the text|the phrase|for example|e\.g\.|such as|role ?play|act as|a story|a poem|a letter|übersetze?|schreibe?|traduis|écris|traduce|escribe|переклади|напиши|翻译|写)(?!\p{L})/iu;

/** A clause with this before it in its sentence is no statement. */
export function isGated(before: string): boolean {
  return supposing.test(before) || reporting.test(before) || instructing.test(before);
}

const conditionBehind = /(?<!\p{L})(?:if|unless|falls|wenn|якщо)(?!\p{L})|的话/iu;
const politeCondition =
  /(?<!\p{L})if (?:that|it|this) (?:matters|helps|is relevant|makes a difference)|if you(?:'re| are)? (?:wondering|curious|need|must know)/iu;

/** "I own a car if I win": what follows takes the statement back. "If that matters" does not. */
export function isConditional(behind: string): boolean {
  return conditionBehind.test(behind) && !politeCondition.test(behind);
}

const material =
  /^\s*(?:please |can you |could you |bitte |kannst du |peux-tu |puedes )*(?:translate|proofread|rewrite|rephrase|paraphrase|summari[sz]e|correct|edit|improve|fix|check|analy[sz]e|übersetze?|korrigiere?|traduis|corrige|traduce|переклади|翻译)(?!\p{L})[^\n]{0,200}?[:：]/iu;

/** Where the message stops being the speaker's own words ("Translate this: …"); its length when it never does. */
export function ownWords(message: string): number {
  const match = material.exec(message);
  return match === null ? message.length : match[0].length;
}
