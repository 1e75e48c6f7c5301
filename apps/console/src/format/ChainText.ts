const MOST_CHARACTERS = 80

/**
 * Returns a text that strangers chose, such as the name of a token, as one line of visible characters. Control
 * characters, and those that change the direction of text, could hide what it says, so each becomes U+FFFD. Long
 * texts are cut after `most` characters.
 */
export function clean(text: string, most = MOST_CHARACTERS): string {
  const visible = text.replace(/(?!\u200d)[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, '\ufffd')
  const characters = [...visible]
  return characters.length <= most ? visible : `${characters.slice(0, most).join('')}…`
}
