import { KeysError } from '../KeysError.ts'

/** Line length of PEM bodies (RFC 7468, section 2). */
const LINE = 64
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Formats `bytes` as one PEM block with the given label, followed by a line feed. */
export function format(label: string, bytes: Uint8Array): string {
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  const lines = base64.match(new RegExp(`.{1,${LINE}}`, 'g')) ?? []
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
}

/**
 * Returns the content of the first PEM block with the given label. Ignores text around the block.
 * @throws KeysError `KEYS_PEM`
 */
export function parse(label: string, text: string): Uint8Array {
  const begin = `-----BEGIN ${label}-----`
  const from = text.indexOf(begin)
  const to = from === -1 ? -1 : text.indexOf(`-----END ${label}-----`, from + begin.length)
  if (to === -1)
    throw new KeysError('KEYS_PEM', `PEM: expected a block "${label}", found none`, { details: { label } })
  const base64 = text.slice(from + begin.length, to).replace(/[ \t\r\n]/g, '')
  if (base64 === '' || !BASE64.test(base64)) {
    throw new KeysError('KEYS_PEM', `PEM: expected base64 in the block "${label}"`, { details: { label } })
  }
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}
