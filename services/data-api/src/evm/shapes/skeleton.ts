/**
 * Characters that look like Latin letters, after the letter. Upper and lower case differ, because an upper `i` looks like
 * a lower `L`.
 */
const CONFUSABLE: Readonly<Record<string, string>> = {
  a: 'АаΑαꭺᎪꓮᴀ',
  b: 'ВΒᏴꓐʙЬ',
  c: 'СсϹᏟꓚᴄ',
  d: 'ԀԁᎠꓓᴅĐđ',
  e: 'ЕеΕᎬꓰᴇ',
  f: 'Ϝꓝꜰ',
  g: 'Ԍԍ\uA4D6ɢ',
  h: 'НΗᎻꓧʜһҺ',
  i: 'I1l|ІіΙιᎥꓲɪӏӀ',
  j: 'ЈјᎫꓙᴊ',
  k: 'КкΚκᏦꓗᴋ',
  l: 'LᏞꓡʟ',
  m: 'МΜᎷꓟᴍм',
  n: 'Νꓠɴ',
  o: '0ОоΟοՕօꓳᴏ',
  p: 'РрΡρᏢꓑᴘ',
  q: 'Ԛԛ',
  r: 'Ꭱꓣʀ',
  s: '5$ЅѕᏚꓢꜱ',
  t: 'ТтΤτᎢꓔᴛŦŧ',
  u: 'ՍυꓴᴜU',
  v: 'ѴѵνᏙꓦᴠ',
  w: 'ԜԝᎳꓪᴡ',
  x: 'ХхΧχꓫ',
  y: 'УуΥҮүꓬʏ',
  z: 'ΖᏃꓜᴢ',
}

const LETTERS = new Map(
  Object.entries(CONFUSABLE).flatMap(([letter, like]) => [...like].map((character) => [character, letter])),
)

/**
 * Returns the letters that a text looks like. Texts that can be mistaken for each other have the same skeleton: accents
 * and invisible characters are removed, and letters of other alphabets and digits are replaced.
 */
export function skeletonOf(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(/[\p{M}\p{Cf}\p{Cc}]/gu, '')
  return Array.from(plain, (character) => LETTERS.get(character) ?? character.toLowerCase()).join('')
}
