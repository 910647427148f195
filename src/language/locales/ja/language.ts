import type { FactWords } from '../../fact-words.js';
import type { AnswerWords, Language, QuestionWords, Words } from '../../language.js';

export const words: Words = {
  otherNames: [
    'お母さん 母親 ママ',
    'お父さん 父親 パパ',
    'おばあちゃん 祖母',
    'おじいちゃん 祖父',
    '自動車 クルマ',
    '医者 医師',
  ],
  unspaced: {
    asking:
      '何でしたか|何ですか|何と|何を|何が|何か|何の|何|誰|どこ|いつ|どれくらい|どのくらい|どれ|どんな|どう|なぜ|いくら|教えて|言って|ください',
    particles: 'はがをにでとのもへやか',
    small: '後私',
  },
};

const questions: QuestionWords = {
  when: /いつ|何[年月日曜]|何時(?!間)/u,
  where: /どこ/u,
  who: /誰|だれ/u,
  howMany: /いくつ|何[個人回本枚匹冊歳]|どれ(?:くらい|ぐらい)/u,
  why: /なぜ|どうして|なんで/u,
  yesNo: /^(?!.*(?:何|なに|なん|どの|どんな|どれ|どう|いつ|いくら)).*か[？?。]?$/u,
  past: /以前|前は|前の|昔|かつて|もともと|元々/u,
  event: /た(?:っけ|の(?:か|です|ですか)?|か|んですか)?[？?。]?$/u,
  number:
    '何[個人分円回日本枚度歳年泊匹冊]|何時間|何キロ|いくら|いくつ|どれくらい|どのくらい|(?:お金|料金|値段|費用)は',
  person: {
    replies: [
      '(?:勧め|薦め|おすすめ|提案)(?:て|た|し|の|は|を)|あなたが',
      '(?:教え|書い|出し|挙げ|言っ|考え|計算し|説明し)てくれ',
      // Without a subject the assistant is meant, unless the question asks who said it.
      '(?:ろ|け|せ|れ|え|め|べ|げ|いい|いくら|何台|何枚)っ?て(?:言っ|言う|いっ|教え)(?!.{0,9}(?:誰|だれ|のは))',
      '(?:せ|け|え|め|れ|べ|げ|ろ)と?(?:言われた|言ってた)',
      '(?:ai|ａｉ|ボット|アシスタント|chatgpt|claude|クロード|gemini|copilot)[はがに].{0,20}(?:言|勧|薦|提案|教え|書い|挙げ)',
    ].join('|'),
    advice: 'どうすれば|どうやって|どうすると|どうする|方法|べき',
    user: '私|僕|俺|わたし',
  },
  second: /、\s*(?=[^、]{0,60}(?:誰|だれ|何|なに|なん|どこ|いつ|どう|どの|どれ|どんな|いくら|いくつ|なぜ))/u,
  asking: /誰|だれ|何|なに|なん|どこ|いつ|どう|どの|どれ|どんな|いくら|いくつ|なぜ/u,
};

export const answers: AnswerWords = {
  phrases: {
    you: 'あなた',
    assistant: 'アシスタント',
    perhaps: (answer) => `おそらく：${answer}`,
    yes: 'はい',
    no: 'いいえ',
    unclear: 'はっきりした答えはありません。',
    nearest: '近い内容：',
    notFound: '記憶の中にその答えはありません。',
    before: '以前',
    saidOn: (day) => `${day}の発言`,
  },
  rejecting: {
    after: '(?:は|が)?(?:じゃな[いく]|ではな[いく]|じゃなかった|ではなかった|の代わり|をやめ|は間違い|は誤り)',
  },
  spans: {
    range: '{from}から{to}まで',
    weekOf: '{}からの週',
    weekendOf: '{}の週末',
    about: '{}ごろ',
    between: '{from}から{to}の間',
  },
  facts: {
    sentences: {
      profile_name: 'お名前は{}です。',
      profile_surname: '名字は{}です。',
      profile_nickname: '呼び名は{}です。',
      profile_email: 'メールアドレスは{}です。',
      profile_location: 'お住まい：{}。',
      profile_origin: 'ご出身：{}。',
      profile_role: 'お仕事：{}。',
      profile_employer: '勤務先：{}。',
      profile_birthday: '誕生日：{}。',
      profile_birth_year: '生まれた年：{}。',
      profile_identity: 'プロフィール：{}。',
      profile_condition: '健康：{}。',
      allergic_to: 'アレルギー：{}。',
      family: 'ご家族：{}。',
      likes: '好きなもの：{}。',
      dislikes: '苦手なもの：{}。',
      prefers: '好み：{}。',
      speaks: '話せる言語：{}。',
      native_language: '母語：{}。',
      knows: '知識：{}。',
      plays: '楽器・スポーツ：{}。',
      learning: '学習中：{}。',
      owns_: '持ち物：{}。',
    },
    nouns:
      'name=名前|surname=名字|nickname=呼び名|email=メールアドレス|location=住まい|origin=出身|role=仕事|employer=勤務先|birthday=誕生日|birth year=生まれた年|age=年齢|identity=プロフィール|condition=健康|allergic to=アレルギー|family=家族|wife=妻|husband=夫|spouse=配偶者|partner=パートナー|girlfriend=彼女|boyfriend=彼氏|fiance=婚約者|mother=母|father=父|mom=母|mum=母|dad=父|boss=上司|manager=上司|landlord=大家|best friend=親友|doctor=医師|therapist=セラピスト|sister=姉妹|brother=兄弟|son=息子|daughter=娘|friend=友人|colleague=同僚|neighbour=隣人|neighbor=隣人|dog=犬|cat=猫|anniversary=記念日|likes=好きなもの|dislikes=苦手なもの|prefers=好み|habit=習慣|speaks=話せる言語|native language=母語|knows=知識|plays=楽器・スポーツ|learning=学習中|studied=学歴|plans=予定|goal=目標|decision=決めたこと|creator=作者|command name=コマンド|project name=プロジェクト名|deadline=締め切り|launch date=公開日|uses=使用ツール|known as=名前|relationship=関係|breed=種類|takes=薬|dose=用量|diet=食事|hobby=趣味|home=家|measurement=測定値|schedule=スケジュール|appointment=予約|event=出来事|trip=旅行|price=値段|subscription=サブスクリプション|membership=会員|works on=プロジェクト|due=締め切り|contact=連絡先|detail=その他|owns pet=ペット|owns device=機器|owns vehicle=乗り物|owns car=車|owns item=持ち物|favorite color=好きな色|favorite food=好きな食べ物|favorite book=好きな本|favorite movie=好きな映画|favorite song=好きな歌|favorite drink=好きな飲み物|favorite sport=好きなスポーツ|favorite band=好きなバンド|recurring topic=よく出る話題',
    is: '{what}：{}。',
    list: '{what}：{}。',
    of: '{who}、{what}：{}。',
    and: 'と',
    on: '{}（{day}）',
    saidOn: '{}（{day}の発言）',
    before: '以前：{}。',
    atThatTime: '当時：{}。',
    thenAndNow: '当時も今も：{}。',
    now: '現在：{}。',
    disagree: '同じ時点の発言が食い違っています：{}。',
  },
};

const facts: FactWords = {
  gates: { rolePlay: 'ロールプレイ|演じて|になりきって|あなたは[^。！？\\n]{1,30}[、。] ?(?:私|僕|俺)は' },
};

export const japanese: Language = { code: 'ja', script: 'kana', words, questions, answers, facts };
