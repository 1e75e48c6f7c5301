const MOST_CHARACTERS = 80
/** More combining marks on a character than any script uses would cover the lines above and below. */
const MOST_MARKS = 4

/**
 * Characters that are not visible, or that change the direction of text. A joiner is visible after an emoji and in the
 * scripts that have marks, and nowhere else.
 */
const HIDDEN =
  /(?!\u200d)[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]|\u034f|(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\p{M}])\u200d/gu
const MARKS = new RegExp(`(\\p{M}{${MOST_MARKS}})\\p{M}+`, 'gu')

/**
 * Returns a text that strangers chose, such as the name of a token, as one line of visible characters. Control
 * characters, those that change the direction of text, and invisible ones could hide what it says, so each becomes
 * U+FFFD. Long texts are cut after `most` characters.
 */
export function clean(text: string, most = MOST_CHARACTERS): string {
  const visible = text.replace(HIDDEN, '\ufffd').replace(MARKS, '$1')
  const characters = [...visible]
  return characters.length <= most ? visible : `${characters.slice(0, most).join('')}…`
}
